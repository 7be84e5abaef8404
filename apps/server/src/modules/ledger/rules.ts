/** Debit-normal accounts say where coins are, credit-normal ones whose they are (money.md 4.1). */
export type Side = 'D' | 'C'

/** The chart of accounts: the side of each kind, and whether it may never fall below zero. */
export const ACCOUNTS = {
  'chain:unconfirmed': { side: 'D', guarded: true },
  'chain:deposit-addresses': { side: 'D', guarded: true },
  'project:unconfirmed': { side: 'C', guarded: true },
  'project:balance': { side: 'C', guarded: false },
  'project:quarantine': { side: 'C', guarded: true },
  'project:dust': { side: 'C', guarded: true },
  'customer:unapplied': { side: 'C', guarded: true },
} as const satisfies Record<string, { side: Side; guarded: boolean }>

export type AccountKind = keyof typeof ACCOUNTS

export type AccountRef = { readonly kind: AccountKind; readonly assetId: number; readonly ownerKey: string }

/** Moves units of one asset from the credited to the debited account. */
export type Line = { readonly debit: AccountRef; readonly credit: AccountRef; readonly units: bigint }

/** What the journal needs to know of a deposit. */
export type PostedDeposit = {
  readonly id: bigint
  /** 1, then one more each time it comes back after a reorganisation or a person moves it: the `:<n>` of its keys. */
  readonly round: number
  readonly blockchainId: number
  readonly assetId: number
  readonly addressId: bigint
  readonly projectId: number
  readonly units: bigint
  readonly height: number
}

/** What the journal needs to know of money that a person books because no transaction of it is known (money.md 4.6). */
export type PostedFind = {
  readonly id: number
  readonly blockchainId: number
  readonly assetId: number
  readonly addressId: bigint
  readonly projectId: number
  readonly units: bigint
  readonly height: number
}

export type DepositPosting = PlacementPosting | 'deposit.seen' | 'deposit.assign' | 'deposit.unassign'

/** What final money turns out to be. */
type PlacementPosting = 'deposit.apply' | 'deposit.unapplied' | 'deposit.ignored' | 'deposit.quarantine'

/** A business event that moves money; each kind of posting is one row of money.md 4.3. */
export type JournalEntry =
  | { readonly posting: DepositPosting; readonly deposit: PostedDeposit }
  | { readonly posting: 'deposit.release'; readonly to: 'applied' | 'unapplied'; readonly deposit: PostedDeposit }
  | { readonly posting: 'deposit.found'; readonly found: PostedFind }

/** An entry as it is written: the key that makes it unique, where it belongs, and its lines. */
export type WrittenEntry = {
  readonly sourceKey: string
  readonly posting: string
  readonly projectId: number | null
  readonly blockchainId: number | null
  readonly height: number | null
  readonly reverses: bigint | null
  readonly lines: readonly Line[]
}

/** The claim that final money of a deposit turns into. */
const CLAIMS = {
  'deposit.apply': 'project:balance',
  'deposit.unapplied': 'customer:unapplied',
  'deposit.ignored': 'project:dust',
  'deposit.quarantine': 'project:quarantine',
} as const satisfies Record<PlacementPosting, AccountKind>

/** Claims between which a person moves money that is placed already: what is debited, and what is credited. */
const MOVES = {
  'deposit.assign': ['customer:unapplied', 'project:balance'],
  'deposit.unassign': ['project:balance', 'customer:unapplied'],
  'deposit.release applied': ['project:quarantine', 'project:balance'],
  'deposit.release unapplied': ['project:quarantine', 'customer:unapplied'],
} as const satisfies Record<string, readonly [AccountKind, AccountKind]>

/** Turns a business event into the lines that record it. */
export function buildEntry(entry: JournalEntry): WrittenEntry {
  if (entry.posting === 'deposit.found') return buildAdjustment(entry.found)
  const { posting, deposit } = entry
  const { id, round, projectId, blockchainId, height } = deposit
  const event = posting.slice('deposit.'.length)
  const sourceKey = `deposit:${id}:${event}${round > 1 ? `:${round}` : ''}`
  return { sourceKey, posting, projectId, blockchainId, height, reverses: null, lines: depositLines(entry) }
}

function buildAdjustment({ id, blockchainId, assetId, addressId, projectId, units, height }: PostedFind): WrittenEntry {
  const debit = { kind: 'chain:deposit-addresses', assetId, ownerKey: `address:${addressId}` } as const
  const credit = { kind: 'project:dust', assetId, ownerKey: `project:${projectId}` } as const
  const place = { projectId, blockchainId, height, reverses: null }
  return { sourceKey: `found:${id}:book`, posting: 'deposit.found', ...place, lines: [{ debit, credit, units }] }
}

function depositLines(entry: Exclude<JournalEntry, { posting: 'deposit.found' }>): Line[] {
  const { assetId, units, projectId, blockchainId, addressId } = entry.deposit
  const of = (kind: AccountKind, ownerKey: string): AccountRef => ({ kind, assetId, ownerKey })
  const ofProject = (kind: AccountKind) => of(kind, `project:${projectId}`)
  const moved = ([debit, credit]: readonly [AccountKind, AccountKind]): Line[] => [
    { debit: ofProject(debit), credit: ofProject(credit), units },
  ]
  const unconfirmed = of('chain:unconfirmed', `blockchain:${blockchainId}`)
  const promised = ofProject('project:unconfirmed')
  switch (entry.posting) {
    case 'deposit.seen':
      return [{ debit: unconfirmed, credit: promised, units }]
    case 'deposit.assign':
    case 'deposit.unassign':
      return moved(MOVES[entry.posting])
    case 'deposit.release':
      return moved(MOVES[`deposit.release ${entry.to}`])
    case 'deposit.apply':
    case 'deposit.unapplied':
    case 'deposit.ignored':
    case 'deposit.quarantine':
      return [
        { debit: promised, credit: unconfirmed, units },
        {
          debit: of('chain:deposit-addresses', `address:${addressId}`),
          credit: ofProject(CLAIMS[entry.posting]),
          units,
        },
      ]
  }
}

/** An entry already in the journal. */
export type StoredEntry = WrittenEntry & { readonly id: bigint; readonly at: Date }

/**
 * The mirror of a stored entry: the same lines the other way round, at the same height, so that the journal as of any
 * block agrees with the chain that holds there.
 */
export function reversalOf(entry: StoredEntry, sourceKey: string): WrittenEntry {
  return {
    ...entry,
    sourceKey,
    posting: mirrorPosting(entry.posting),
    reverses: entry.id,
    lines: entry.lines.map(({ debit, credit, units }) => ({ debit: credit, credit: debit, units })),
  }
}

/** What the mirror of an entry is called. */
export function mirroring<T extends { readonly sourceKey: string; readonly posting: string }>(entry: T): T {
  return { ...entry, sourceKey: mirrorKey(entry.sourceKey), posting: mirrorPosting(entry.posting) }
}

function mirrorPosting(posting: string): string {
  return `${posting.slice(0, posting.indexOf('.'))}.reverse`
}

/** The source key of an entry's mirror: `deposit:7:apply:2` becomes `deposit:7:reverse-apply:2`. */
export function mirrorKey(sourceKey: string): string {
  const [noun, id, event, ...rest] = sourceKey.split(':')
  return [noun, id, `reverse-${event}`, ...rest].join(':')
}
