/** Decodes a named character reference, such as `&pi;`, by the browser: it stands for the tables of the package `entities`. */
export function decodeHTMLStrict(reference: string): string {
  const text = document.createElement("textarea");
  text.innerHTML = reference;
  // What is left of a name that only begins with a known one, such as `&ampere;`, ends as the reference does.
  return text.value.endsWith(";") && reference !== "&semi;" ? reference : text.value;
}
