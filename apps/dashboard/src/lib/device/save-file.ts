/** How long a browser may take to begin saving before the address of the file is taken back. */
const LIFETIME_MS = 60_000

/** Hands a file to the browser to save. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), LIFETIME_MS)
}
