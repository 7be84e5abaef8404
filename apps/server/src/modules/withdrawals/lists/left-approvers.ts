type Asked = {
  readonly fourEyes: boolean
  readonly requester: number | null
  readonly approvers: ReadonlySet<number>
  readonly given: readonly { readonly memberID: number; readonly counts: boolean }[]
}

/** How many people may approve a payout and have not: never its requester where four eyes are required. */
export function countLeft({ fourEyes, requester, approvers, given }: Asked): number {
  const counted = new Set(given.filter((one) => one.counts).map((one) => one.memberID))
  return [...approvers].filter((id) => !counted.has(id) && !(fourEyes && id === requester)).length
}
