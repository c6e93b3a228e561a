OPENQASM 3.0;
array[int[8], 2] two = {1, 2, 3};
array[int[8], 3] three;
three[3] = 1;
array[int[8], 2, 2] m;
m[0] = three[0:2];
if (true) { array[int, 2] inner; }
array[qubit, 2] r;
// refused at 2:24 3 values for 2 places
// refused at 4:7 outside the array
// refused at 6:8 shape 3 does not fit
// refused at 7:27 outside of all blocks
// refused at 8:7 cannot be the element
