/** The two forms of a batch between this page and a wallet: bytes in a file (BIP-174), and the same as text in base64. */

/** The first bytes of every such file. */
const MAGIC = [0x70, 0x73, 0x62, 0x74, 0xff] as const

/** A batch as wallets open it. */
export function psbtFile(psbt: string): Blob {
  return new Blob([Uint8Array.from(atob(psbt), (character) => character.charCodeAt(0))], {
    type: 'application/octet-stream',
  })
}

/** Reads what a wallet saved, in either form. */
export async function readPsbt(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (!MAGIC.every((byte, at) => bytes[at] === byte)) return new TextDecoder().decode(bytes).trim()
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

/** The longest text that a code on a screen can hold and a camera still reads. */
const MOST_IN_CODE = 1_800

/** Whether a batch fits into one code. */
export function fitsCode(psbt: string): boolean {
  return psbt.length <= MOST_IN_CODE
}
