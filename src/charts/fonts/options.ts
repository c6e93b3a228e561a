import { fontFamily, fontFiles } from "../fonts.ts";
import type { Theme } from "../theme.ts";

/** Returns how Resvg finds fonts: those of the library and of a theme, and those of the machine where they are needed. */
export const fontOptions = (textFont: Theme["font"], loadSystemFonts = false) => ({
  loadSystemFonts,
  fontFiles: fontFiles(textFont),
  defaultFontFamily: fontFamily(textFont),
  sansSerifFamily: fontFamily(textFont),
  monospaceFamily: "DejaVu Sans Mono",
});
