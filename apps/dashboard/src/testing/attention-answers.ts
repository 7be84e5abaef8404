/** What needs attention, as the server answers it. */
type Counts = {
  readonly payments?: number
  readonly reasons?: { readonly short: number; readonly over: number; readonly late: number }
  readonly deposits?: number
  readonly payouts?: number
  readonly sweeps?: number
  readonly alarms?: readonly object[]
  /** A backup is due; the moment of the newest, null where there is none. */
  readonly backup?: { readonly lastTakenAt: string | null }
  /** Kinds that could not be read. */
  readonly unread?: readonly string[]
}

/** The answer for an operator who may read everything. */
export function attentionAnswer(counts: Counts = {}): object {
  const { payments = 0, deposits = 0, payouts = 0, sweeps = 0, alarms = [], unread = [] } = counts
  const kind = (name: string, count: number) => ({ isRead: !unread.includes(name), count, list: `/${name}` })
  return {
    payments: { ...kind('payments', payments), ...(counts.reasons ?? { short: 0, over: 0, late: 0 }) },
    deposits: kind('deposits', deposits),
    payouts: kind('payouts', payouts),
    sweeps: kind('sweeps', sweeps),
    alarms: { ...kind('alarms', alarms.length), data: alarms },
    backups: {
      ...kind('backups', counts.backup === undefined ? 0 : 1),
      lastTakenAt: counts.backup?.lastTakenAt ?? null,
    },
  }
}
