/** Decodes a named character reference, such as `&pi;`, by the browser: it stands for the tables of the package `entities`. */
export function decodeHTMLStrict(reference: string): string {
  const text = document.createElement("textarea");
  text.innerHTML = reference;
  // A name that only begins with a known one, such as `&ampere;`, keeps its rest as text.
  return text.value.endsWith(";") && reference !== "&semi;" ? reference : text.value;
}
