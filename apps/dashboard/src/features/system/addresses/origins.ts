/** Returns the origins of a text, one a line or parted by commas, each once and without a slash at its end. */
export function originsIn(text: string): readonly string[] {
  const items = text.split(/[\s,]+/).map((item) => item.replace(/\/$/, ''))
  return [...new Set(items.filter((item) => item !== ''))]
}

/** Returns the first item of a text that is no origin; the server has the last word. */
export function wrongOrigin(text: string): string | undefined {
  return originsIn(text).find((item) => {
    const url = URL.parse(item)
    return url === null || !/^https?:$/.test(url.protocol) || item !== url.origin
  })
}
