import type { UserGroup } from '@kassa/contract/analytics/schemas.ts'

/** A change of how one operator sees a group. */
export type Arrangement = { readonly groupId: number; readonly visible?: boolean; readonly sequence?: number }

/** Moved groups are counted from here on, so that they are told from those that nobody has moved. */
const FIRST_MOVED = 11

/**
 * Returns the groups in the order in which they are drawn. While nobody has moved any, lists stand below what is drawn:
 * what a table holds is read after what the charts show.
 */
export function inOrder(groups: readonly UserGroup[]): readonly UserGroup[] {
  const ranked = groups.toSorted((a, b) => a.sequence - b.sequence)
  if (groups.some(({ sequence }) => sequence >= FIRST_MOVED)) return ranked
  return [...ranked.filter((group) => !isList(group)), ...ranked.filter(isList)]
}

function isList({ analyticsGroup: { graphs } }: UserGroup): boolean {
  return graphs.every(({ graphType }) => graphType === 'table_graph')
}

/** Returns what is to be said to the server to move a group by one among those that are seen. */
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
