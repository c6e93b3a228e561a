import { createHash, createHmac, hash, timingSafeEqual } from "node:crypto";

/** Returns the SHA-256 of a string in UTF-8. */
export const sha256 = (text: string): Uint8Array => createHash("sha256").update(text).digest();

/** Returns the SHA-256 of a string in UTF-8, in hexadecimal digits. */
export const sha256Hex = (text: string): string => hash("sha256", text);

/** Returns the SHA-256 of a string in UTF-8, in base64. */
export const sha256Base64 = (text: string): string => createHash("sha256").update(text).digest("base64");

/** Returns the HMAC of a string under a key, with SHA-256, in hexadecimal digits. */
export const hmacSha256Hex = (key: string, text: string): string =>
  createHmac("sha256", key).update(text).digest("hex");

/** Whether two strings of the same length are equal, in constant time. */
export const equalsInConstantTime = (first: string, second: string): boolean =>
  timingSafeEqual(Buffer.from(first), Buffer.from(second));
