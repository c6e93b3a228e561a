OPENQASM 3.0;
for i in [0:3] {}
continue;
while (true);
switch (1) {}
if (true = false) {}
// refused at 2:5 type of the loop
// refused at 3:1 no loop
// refused at 4:13 statement
// refused at 5:1 no case
// refused at 6:10 a condition compares
