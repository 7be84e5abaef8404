/** Lists that a screen chooses from, or shows at once: read to their end, whatever one answer holds. */

/** As many as one answer has, and as many answers as are asked for: offsets reach no further (api.md 1.5). */
const [PAGE, MOST_PAGES] = [200, 50]

/** One page of a list that names the next. */
type CursorPage<Row> = { readonly data: readonly Row[]; readonly nextCursor: string | null }

/** What was read of a list. `isCut`: it has more rows than are read at once. */
export type RowsRead<Row> = { readonly rows: readonly Row[]; readonly isCut: boolean }

/**
 * Reads all pages of a list that names each next one, up to 10,000 rows.
 * @throws RequestError
 */
export async function readEveryPage<Row>(
  read: (page: { readonly limit: number; readonly cursor?: string }) => Promise<CursorPage<Row>>,
): Promise<RowsRead<Row>> {
  const rows: Row[] = []
  let page: CursorPage<Row> = { data: [], nextCursor: null }
  for (let count = 0; count < MOST_PAGES && (count === 0 || page.nextCursor !== null); count += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each page names the next
    page = await read({ limit: PAGE, ...(page.nextCursor !== null && { cursor: page.nextCursor }) })
    rows.push(...page.data)
  }
  return { rows, isCut: page.nextCursor !== null }
}

/** One question of a list. */
type PageAsked = { readonly limit: number; readonly offset: number }

/**
 * Reads a list to its end, up to 10,000 rows. What is added meanwhile moves rows to the next answer: each row is there once.
 * @throws RequestError
 */
export async function readWholeList<Row extends { readonly id: number }>(
  read: (page: PageAsked) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const all = new Map<number, Row>()
  for (let page = 0; page < MOST_PAGES; page += 1) {
    // oxlint-disable-next-line no-await-in-loop -- only the last answer says that it is the last
    const rows = await read({ limit: PAGE, offset: page * PAGE })
    for (const row of rows) all.set(row.id, row)
    if (rows.length < PAGE) break
  }
  return [...all.values()]
}
