import PDFDocument from "pdfkit";
import drawSvg from "svg-to-pdfkit";

export interface PdfOptions {
  title: string;
  width: number;
  height: number;
  fontPath: (families: string, bold: boolean) => string;
}

const pointsOfPixel = 0.75;

/** Writes a picture as a PDF of one page of its size, at once: vectors, and text in fonts that are embedded. */
export function writePdf(svg: string, { title, width, height, fontPath }: PdfOptions): Uint8Array {
  const size: [number, number] = [width * pointsOfPixel, height * pointsOfPixel];
  const pdf = new PDFDocument({ size, margin: 0, font: fontPath("", false), info: { Title: title } });
  const parts: Buffer[] = [];
  drawSvg(pdf, svg, 0, 0, { width: size[0], height: size[1], assumePt: false, fontCallback: fontPath });
  pdf.end();
  for (let part = pdf.read(); part !== null; part = pdf.read()) parts.push(part as Buffer);
  return new Uint8Array(Buffer.concat(parts));
}
