/** Returns the origins of a text, one a line or parted by commas, each once. */
export function originsIn(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,]+/).filter((item) => item !== ''))]
}

/** Returns the first item of a text that is no origin; the server has the last word. */
export function wrongOrigin(text: string): string | undefined {
  return originsIn(text).find((item) => {
    const url = URL.parse(item)
    return url === null || !/^https?:$/.test(url.protocol) || (item !== url.origin && item !== `${url.origin}/`)
  })
}
