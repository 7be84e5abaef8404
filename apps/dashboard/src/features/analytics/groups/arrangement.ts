import type { GroupChoice } from '@kassa/contract/analytics/inputs.ts'
import type { UserGroup } from '@kassa/contract/analytics/schemas.ts'

/** A change of how one operator sees a group. */
export type Arrangement = GroupChoice & { readonly groupId: number }

/** Moved groups are counted from here on, so that they differ from unmoved ones. */
const FIRST_MOVED = 11

/**
 * Returns the groups in the order in which they are drawn. Before any is moved, narrow cards are before wide ones that
 * follow them, so that they fill the place beside the first, and lists stand last: what a table holds is read after what the
 * charts show.
 */
export function inOrder(groups: readonly UserGroup[]): readonly UserGroup[] {
  const ranked = groups.toSorted((a, b) => a.sequence - b.sequence)
  if (groups.some(({ sequence }) => sequence >= FIRST_MOVED)) return ranked
  const [first, ...further] = ranked.filter((group) => shapeOf(group) === 'wide')
  const of = (shape: Shape) => ranked.filter((group) => shapeOf(group) === shape)
  return [...of('numbers'), ...(first ? [first] : []), ...of('narrow'), ...further, ...of('list')]
}

export type Shape = 'numbers' | 'wide' | 'narrow' | 'list'

/** Returns how much room a group takes: charts over time are wide, lists and rows of numbers take all of it. */
export function shapeOf({ analyticsGroup: { graphs } }: UserGroup): Shape {
  if (graphs.every(({ graphType }) => graphType === 'number_graph')) return 'numbers'
  if (graphs.every(({ graphType }) => graphType === 'table_graph')) return 'list'
  return graphs.some(({ graphType }) => graphType === 'bar_graph') ? 'wide' : 'narrow'
}

/** A row of the page: a group alone, or a wide one with narrow ones above each other beside it, or narrow ones alone. */
export type Row = { readonly main: UserGroup | null; readonly beside: readonly UserGroup[] }

/** As many narrow cards as are about as high as a wide one. */
const MOST_BESIDE = 2

/** Returns the rows in which groups are drawn, in their order. */
export function rowsOf(groups: readonly UserGroup[]): readonly Row[] {
  const rows: { main: UserGroup | null; beside: UserGroup[] }[] = []
  for (const group of groups) {
    const last = rows.at(-1)
    const hasRoom = last && last.beside.length < MOST_BESIDE && (last.main === null || shapeOf(last.main) === 'wide')
    if (shapeOf(group) !== 'narrow') rows.push({ main: group, beside: [] })
    else if (hasRoom) last.beside.push(group)
    else rows.push({ main: null, beside: [group] })
  }
  return rows
}

/** Returns the changes that move a group by one among those that are seen. */
export function moved(groups: readonly UserGroup[], groupId: number, by: 1 | -1): readonly Arrangement[] {
  const order = inOrder(groups).map((group) => ({ groupId: group.groupID, isSeen: group.visible }))
  const at = order.findIndex((one) => one.groupId === groupId)
  const seen = order.flatMap(({ isSeen }, index) => (isSeen ? [index] : []))
  const to = seen[seen.indexOf(at) + by]
  const one = order[at]
  if (to === undefined || one === undefined) return []
  const next = order.toSpliced(at, 1).toSpliced(to, 0, one)
  return next.map(({ groupId: id }, index) => ({ groupId: id, sequence: FIRST_MOVED + index }))
}
