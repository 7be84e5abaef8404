/** Returns the header `Link` of a list whose body is a bare array (api.md 1.4): the same question from the next row on. */
export function nextLink(
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
  cursor: string | null,
): Readonly<Record<string, string>> {
  if (cursor === null) return {}
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, cursor }))
    if (value !== undefined) asked.set(name, String(value))
  return { link: `<${path}?${asked.toString()}>; rel="next"` }
}
