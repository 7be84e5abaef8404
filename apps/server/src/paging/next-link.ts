/** What a list was asked: a value, or several of which any matches. */
type Asked = string | number | boolean | readonly (string | number | boolean)[] | null | undefined

/** Returns the header `Link` of a list whose body is a bare array (api.md 1.4): the same question from the next row on. */
export function nextLink(
  path: string,
  query: Readonly<Record<string, Asked>>,
  cursor: string | null,
): Readonly<Record<string, string>> {
  if (cursor === null) return {}
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, cursor })) {
    for (const one of [value ?? []].flat()) asked.append(name, String(one))
  }
  return { link: `<${path}?${asked.toString()}>; rel="next"` }
}
