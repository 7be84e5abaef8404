import type { Address, ChainAdapter, ChainSession, Leg, Transfer, TransferFilter, TxId } from '../adapter.ts'
import { differ, refuses, same } from './conformance-checks.ts'
import { holdingsRule } from './holdings-conformance.ts'

/** A payment on a fake chain, as the one who sends it knows it. */
export type FakePayment = {
  readonly assetId: number
  readonly from: Address
  readonly to: Address
  readonly units: bigint
  /** It is mined, and fails. */
  readonly isFailing?: boolean
  /** A contract passes it on; the chain's own coin only. */
  readonly isForwarded?: boolean
}

/** A chain in memory that a family hands in: its node is healthy, and what happens on it is said here. */
export type FamilyChain = {
  readonly session: ChainSession
  /** The same node, taken for one of another network. */
  readonly elsewhere: ChainSession
  /** The same chain through a node that traces nothing; of a family that has traces. */
  readonly untraced?: ChainSession
  readonly ours: readonly [Address, Address]
  /** A payer, and a third party. */
  readonly payer: Address
  readonly bystander: Address
  /** The chain's own coin and a listed token, which a family may not have. */
  readonly assets: { readonly native: number; readonly token?: number }
  /** The most units that can ever be paid, where that is little. */
  readonly mostUnits?: bigint
  /** A transaction that fails is in no block. */
  readonly cannotFail?: true
  readonly netsOut?: true // what an address sends itself shows as nothing, because only balances are compared
  /** Texts that a wallet may print for the first of our addresses, and some that are none. */
  readonly spellings: readonly string[]
  readonly noAddresses: readonly string[]
  /** Mines one block with these payments and returns their transactions' ids. */
  mine(payments: readonly FakePayment[]): readonly TxId[]
  /** Takes the newest blocks back and mines their transactions again on another branch, all in one block. */
  reorganize(depth: number): void
  height(): number
}

type Group = 'balances' | 'holdings' | 'received' | 'partial' | 'traces' | 'contracts'

type Rule = {
  readonly name: string
  /** Only a family with this group keeps to it. */
  readonly group?: Group
  /** Throws what is wrong. */
  readonly check: (adapter: ChainAdapter, chain: FamilyChain) => Promise<void> | void
}

/** Blocks beyond which a reader may go another way (catching up), and must find the same. */
const FAR = 40

/** What this adapter must keep to: what every family does, and what its groups promise. */
export function rulesFor(adapter: ChainAdapter): readonly Rule[] {
  return conformanceRules.filter(({ group }) => group === undefined || adapter[group] !== undefined)
}

const conformanceRules: readonly Rule[] = [
  {
    name: 'an address is formatted, parsed and keyed back to itself',
    check({ addresses }, { session: { chain }, ours }) {
      for (const address of ours) {
        const key = addresses.key(chain, address)
        same(addresses.format(chain, key), address, 'the formatted key')
        same(addresses.parse(chain, address), address, 'the parsed address')
      }
      differ(hex(addresses.key(chain, ours[0])), hex(addresses.key(chain, ours[1])), 'the keys of two addresses')
    },
  },
  {
    name: 'what is no address is refused with InvalidInput',
    check({ addresses }, { session: { chain }, noAddresses }) {
      for (const text of noAddresses) refuses(() => addresses.parse(chain, text), `parse takes ${text}`)
    },
  },
  {
    name: 'every spelling of an address is normalized to one',
    check({ addresses }, { session: { chain }, ours, spellings }) {
      for (const text of spellings) same(addresses.normalize(chain, text), ours[0], `the normal form of ${text}`)
    },
  },
  {
    name: 'the id of a transaction is its own normal form, and other text is none',
    check({ transactions }, chain) {
      const [txId = ''] = chain.mine([coin(chain, 1n)])
      same(transactions.normalizeId(txId), txId, 'the normal form of an id')
      same(transactions.normalizeId(` ${txId} `), txId, 'the normal form of an id with blanks')
      same(transactions.normalizeId('no transaction'), null, 'the normal form of other text')
    },
  },
  {
    name: 'blocks are ascending, follow by parent, and end where the chain does',
    async check(adapter, chain) {
      const { reader } = adapter
      const from = chain.height() + 1
      const heights = [1, 2, 3].map(() => {
        chain.mine([])
        return chain.height()
      })
      const to = chain.height() + 6
      const blocks = await reader.blocks(chain.session, { from, to }, everything(adapter, chain))
      same(blocks.map(({ block }) => block.height).join(), heights.join(), 'the heights')
      blocks.slice(1).forEach(({ block }, at) => same(block.parentHash, blocks[at]?.block.hash, 'the parent'))
      const none = await reader.blocks(chain.session, { from: chain.height() + 1, to }, everything(adapter, chain))
      same(none.length, 0, 'the number of blocks above the head')
    },
  },
  {
    name: 'a payment in the coin or in a token is found once, with its exact units',
    async check(adapter, chain) {
      const units = chain.mostUnits ?? 123_456_789_012_345_678n
      const paid = [coin(chain, units), token(chain, 7n)]
      const ids = chain.mine(paid)
      const found = await newest(adapter, chain)
      same(found.length, paid.length, 'the number of transfers')
      paid.forEach((payment, at) => {
        const transfer = found.find(({ txId }) => txId === ids[at])
        same(transfer?.units, payment.units, 'the units')
        same(transfer?.assetId, payment.assetId, 'the asset')
        same(transfer?.to, payment.to, 'the receiver')
        same(transfer?.senders.join(), payment.from, 'the senders')
      })
    },
  },
  {
    name: 'nothing is found that goes from one stranger to another',
    async check(adapter, chain) {
      chain.mine([coin(chain, 5n), token(chain, 5n)].map((one) => ({ ...one, to: chain.bystander })))
      same(keys(await newest(adapter, chain)), '', 'the keys')
    },
  },
  {
    name: 'a transfer from one of our addresses is found, for every receiver and way of reading',
    async check(adapter, chain) {
      const others = chain.ours.slice(chain.netsOut ? 1 : 0)
      const sides = [chain.bystander, ...others].map((to) => ({ from: chain.ours[0], to }))
      const moved = sides.flatMap((side) => [coin(chain, 5n), token(chain, 7n)].map((one) => ({ ...one, ...side })))
      const ids = chain.mine(moved)
      const [found, from, filter] = [await newest(adapter, chain), chain.height(), everything(adapter, chain)]
      const moves = found.map(({ txId, senders, to, units }) => [txId, ...senders, to, units].join()).toSorted()
      const sent = moved.map(({ to, units }, at) => [ids[at], chain.ours[0], to, units].join()).toSorted()
      same(moves.join(), sent.join(), 'the moves')
      const [far] = await adapter.reader.blocks(chain.session, { from, to: from + FAR }, filter)
      const partial = await adapter.partial?.read(chain.session, from, filter)
      for (const read of [far?.transfers ?? [], partial?.transfers ?? found]) same(keys(read), keys(found), 'the keys')
    },
  },
  {
    name: 'only the assets that are asked for are found',
    async check(adapter, chain) {
      chain.mine([coin(chain, 5n), token(chain, 5n)])
      for (const assetId of Object.values(chain.assets)) {
        const found = await newest(adapter, chain, { ...everything(adapter, chain), assets: new Set([assetId]) })
        same([...new Set(found.map((one) => one.assetId))].join(), String(assetId), 'the assets found')
      }
    },
  },
  {
    name: 'a failed transaction moves nothing and is called failed',
    async check(adapter, chain) {
      if (chain.cannotFail) return
      const ids = chain.mine([coin(chain, 5n), token(chain, 5n)].map((one) => ({ ...one, isFailing: true })))
      same((await newest(adapter, chain)).length, 0, 'the number of transfers')
      for (const id of ids) same((await adapter.reader.transaction(chain.session, id)).state, 'failed', 'the state')
    },
  },
  {
    name: 'a transfer has the same leg however it is read',
    async check(adapter, chain) {
      const [txId = ''] = chain.mine([token(chain, 5n)])
      const height = chain.height()
      const [far] = await adapter.reader.blocks(
        chain.session,
        { from: height, to: height + FAR },
        everything(adapter, chain),
      )
      const facts = await adapter.reader.transaction(chain.session, txId)
      const near = legs(await newest(adapter, chain))
      same(near === '', false, 'whether nothing is found')
      same(legs(far?.transfers ?? []), near, 'the legs of a long range')
      same(legs('transfers' in facts ? facts.transfers : []), near, 'the legs of the transaction')
    },
  },
  {
    name: 'a transfer keeps its key when a reorganisation mines it again, in a block of another hash',
    async check(adapter, chain) {
      chain.mine([])
      chain.mine([token(chain, 5n), coin(chain, 6n)])
      const before = await newestBlock(adapter, chain)
      chain.reorganize(1)
      const after = await newestBlock(adapter, chain)
      differ(after.block.hash, before.block.hash, 'the hashes')
      same(keys(after.transfers), keys(before.transfers), 'the keys of the transfers')
      same(
        after.transfers.every(({ block }) => block.hash === after.block.hash),
        true,
        'whether they name their block',
      )
    },
  },
  {
    name: 'a transaction that nobody sent is unknown',
    async check({ reader }, chain) {
      const [txId = ''] = chain.mine([coin(chain, 1n)])
      chain.reorganize(1)
      const last = txId.at(-1) === '1' ? '2' : '1'
      same((await reader.transaction(chain.session, txId.slice(0, -1) + last)).state, 'unknown', 'the state')
    },
  },
  {
    name: 'a node of another network is noticed',
    async check({ reader }, { session, elsewhere }) {
      same((await reader.identify(session)).isExpected, true, 'whether the right network is expected')
      same((await reader.identify(elsewhere)).isExpected, false, 'whether another network is expected')
      const heads = await reader.heads(elsewhere).catch(() => null)
      same(heads, null, 'the heads of another network')
    },
  },
  {
    name: 'the head is the newest block',
    async check({ reader }, chain) {
      chain.mine([])
      same((await reader.heads(chain.session)).latest.height, chain.height(), 'the height of the head')
    },
  },
  {
    name: 'balances are read in the order asked, at the block asked for',
    group: 'balances',
    async check(adapter, chain) {
      const { assets, ours, session } = chain
      const balances = groupOf(adapter, 'balances')
      const asks = [tokenOf(assets), assets.native].map((assetId) => ({ assetId, address: ours[1] }))
      chain.mine([{ ...token(chain, 11n), to: ours[1] }])
      const { block } = await newestBlock(adapter, chain)
      const before = await balances.read(session, asks)
      chain.mine([
        { ...token(chain, 2n), to: ours[1] },
        { ...coin(chain, 3n), to: ours[1] },
      ])
      const after = await balances.read(session, asks)
      const rises = after.map(({ units }, at) => units - (before[at]?.units ?? 0n))
      same(rises.join(), '2,3', 'the rises')
      const again = await balances.read(session, asks, block)
      same(again.map(({ units }) => units).join(), before.map(({ units }) => units).join(), 'the balances of before')
    },
  },
  holdingsRule,
  {
    name: 'the rise of a balance is that of one block alone',
    group: 'balances',
    async check(adapter, chain) {
      const { assets, ours, session } = chain
      const balances = groupOf(adapter, 'balances')
      chain.mine([coin(chain, 3n)])
      chain.mine([coin(chain, 5n), token(chain, 7n)])
      const { block } = await newestBlock(adapter, chain)
      chain.mine([coin(chain, 11n)])
      for (const [assetId, units] of [[assets.native, 5n] as const, [tokenOf(assets), 7n] as const]) {
        same(await balances.rise(session, { assetId, address: ours[0] }, block), units, 'the rise')
      }
    },
  },
  {
    name: 'a rise that no transaction explains is one transfer per address and block',
    group: 'balances',
    async check(adapter, chain) {
      const { assets, ours, session } = chain
      const balances = groupOf(adapter, 'balances')
      const made: Transfer[] = []
      for (let at = 0; at < 2; at += 1) {
        chain.mine([])
        const { block } = await newestBlock(adapter, chain)
        const rises = ours.map((address) => ({ assetId: assets.native, address, units: 5n, block }))
        made.push(...rises.map((rise) => balances.transferOf(session.chain, rise)))
      }
      same(made.map(({ to }) => to).join(), [...ours, ...ours].join(), 'the receivers')
      same(new Set(made.map(({ txId, leg }) => `${txId} ${leg}`)).size, made.length, 'the number of keys')
      same(
        made.every(({ units, assetId }) => units === 5n && assetId === assets.native),
        true,
        'what is moved',
      )
    },
  },
  {
    name: 'what really reached an address does not count what left it',
    group: 'received',
    async check(adapter, chain) {
      const { assets, ours, bystander, session } = chain
      chain.mine([token(chain, 100n)])
      chain.mine([token(chain, 5n), { ...token(chain, 2n), from: ours[0], to: bystander }])
      const { block } = await newestBlock(adapter, chain)
      const ask = { assetId: tokenOf(assets), address: ours[0] }
      same(await groupOf(adapter, 'received').units(session, ask, block), 5n, 'the units received')
    },
  },
  {
    name: 'a block read in parts has the transfers of the whole',
    group: 'partial',
    async check(adapter, chain) {
      chain.mine([coin(chain, 5n), token(chain, 7n), { ...token(chain, 9n), isFailing: true }])
      const partial = groupOf(adapter, 'partial')
      const read = await partial.read(chain.session, chain.height(), everything(adapter, chain))
      same(keys(read?.transfers ?? []), keys(await newest(adapter, chain)), 'the keys of the transfers')
      same(read?.unread.length, 0, 'the number of transactions not read')
      const none = await partial.read(chain.session, chain.height() + 1, everything(adapter, chain))
      same(none, null, 'a block above the head')
    },
  },
  {
    name: 'what contracts pass on is found, and a node that cannot show it is called so',
    group: 'traces',
    async check(adapter, chain) {
      const traces = groupOf(adapter, 'traces')
      const { session, untraced } = chain
      if (!untraced) throw new Error('the family hands in no node without traces')
      chain.mine([{ ...coin(chain, 5n), isForwarded: true }])
      const shown = await newestBlock(adapter, chain)
      same(shown.transfers.map(({ kind, units }) => `${kind} ${units}`).join(), 'internal 5', 'the transfers')
      same(shown.internalTransfers, 'complete', 'what is shown of internal transfers')
      const hidden = await newestBlock(adapter, { ...chain, session: untraced })
      same(hidden.transfers.length, 0, 'the number of transfers without traces')
      same(hidden.internalTransfers, 'unsupported', 'what is shown without traces')
      same(await traces.isTracing(session), true, 'whether a node with traces is tracing')
      same(await traces.isTracing(untraced), false, 'whether a node without traces is tracing')
    },
  },
  {
    name: 'the contract of a listed token states the decimals of the list',
    group: 'contracts',
    async check(adapter, { session, assets }) {
      const facts = await groupOf(adapter, 'contracts').read(session, [assets.native, tokenOf(assets)])
      const listed = session.chain.assets.find(({ id }) => id === tokenOf(assets))
      same(facts.map(({ assetId }) => assetId).join(), String(tokenOf(assets)), 'the assets with a contract')
      same(facts[0]?.hasCode, true, 'whether there is code')
      same(facts[0]?.decimals, listed?.decimals, 'the decimals')
    },
  },
]

function groupOf<Name extends Group>(adapter: ChainAdapter, name: Name): NonNullable<ChainAdapter[Name]> {
  const group = adapter[name]
  if (!group) throw new Error(`the adapter has no ${name}`)
  return group
}

function coin({ assets, payer, ours }: FamilyChain, units: bigint): FakePayment {
  return { assetId: assets.native, from: payer, to: ours[0], units }
}

/** Of a family without tokens it is one more payment in the coin. */
function token({ assets, payer, ours }: FamilyChain, units: bigint): FakePayment {
  return { assetId: tokenOf(assets), from: payer, to: ours[0], units }
}

function tokenOf({ native, token: listed }: FamilyChain['assets']): number {
  return listed ?? native
}

/** Both assets, to both of our addresses. */
function everything({ addresses }: ChainAdapter, { assets, ours, session: { chain } }: FamilyChain): TransferFilter {
  const own = new Set(ours.map((address) => hex(addresses.key(chain, address))))
  return { assets: new Set(Object.values(assets)), matches: (key) => own.has(hex(key)) }
}

async function newestBlock(adapter: ChainAdapter, chain: FamilyChain, filter = everything(adapter, chain)) {
  const [facts] = await adapter.reader.blocks(chain.session, { from: chain.height(), to: chain.height() }, filter)
  if (!facts) throw new Error(`block ${chain.height()} is not found`)
  return facts
}

async function newest(...asked: Parameters<typeof newestBlock>): Promise<readonly Transfer[]> {
  return (await newestBlock(...asked)).transfers
}

function legs(transfers: readonly Transfer[]): string {
  return transfers.map(({ leg }): Leg => leg).join()
}

function keys(transfers: readonly Transfer[]): string {
  return transfers
    .map(({ txId, leg, assetId, to, units }) => [txId, leg, assetId, to, units].join(' '))
    .toSorted()
    .join()
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
