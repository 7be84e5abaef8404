import type { Address, ChainSender, ChainSession, SentFacts, SignedTx, UnsignedTx } from '../adapter.ts'

/** A chain on which something can be sent: a local node, or one in memory. */
export type SendingChain = {
  readonly session: ChainSession
  /** The same node, taken for one of another network. */
  readonly elsewhere: ChainSession
  /** Who sends, with money; the key that signs for it, and whom it pays. */
  readonly from: Address
  readonly key: Uint8Array
  readonly to: Address
  readonly assets: { readonly native: number; readonly token: number }
  /** What the receiver holds. */
  received(assetId: number): Promise<bigint>
  height(): Promise<number>
  mine(blocks?: number): Promise<void>
}

type SenderRule = { readonly name: string; readonly check: (sender: ChainSender, chain: SendingChain) => Promise<void> }

/** Deep enough on any chain of the tests that nothing is taken back. */
const FINAL = 3

/** The rules that senders rely on in every family; a family's own suite has the rest. */
export const senderRules: readonly SenderRule[] = [
  {
    name: 'a transfer that is broadcast twice arrives once, at a fee within its ceiling',
    async check(sender, chain) {
      for (const assetId of Object.values(chain.assets)) {
        const before = await chain.received(assetId)
        const { tx, signed, facts } = await signedTransfer(sender, chain, assetId)
        same(await sender.broadcast(chain.session, signed), 'accepted', 'the first answer')
        const again = await sender.broadcast(chain.session, signed)
        same(again === 'accepted', false, 'whether it is accepted again')
        await chain.mine(FINAL)
        const outcome = await sender.outcome(chain.session, facts)
        if (outcome.state !== 'mined') throw new Error(`it is ${outcome.state}`)
        same(outcome.failure, null, 'the failure')
        same(outcome.tx.txId, signed.txId, 'the id')
        same(outcome.fee > 0n && outcome.fee <= tx.maxFee, true, 'whether the fee is within its ceiling')
        same((await chain.received(assetId)) - before, UNITS, 'the units that arrived')
      }
    },
  },
  {
    name: 'a transaction that no node was given is unknown, however long ago',
    async check(sender, chain) {
      const { facts } = await signedTransfer(sender, chain, chain.assets.native)
      await chain.mine(FINAL)
      same((await sender.outcome(chain.session, facts)).state, 'unknown', 'the outcome')
    },
  },
  {
    name: 'the same transaction signed twice has the same id, and another one another',
    async check(sender, chain) {
      const { tx, signed } = await signedTransfer(sender, chain, chain.assets.token)
      same(sender.sign(chain.session.chain, tx, chain.key).txId, signed.txId, 'the id')
      const other = await signedTransfer(sender, chain, chain.assets.native)
      same(other.signed.txId === signed.txId, false, 'whether two ids are equal')
    },
  },
  {
    name: 'more than there is, and a fee above its ceiling, are refused before anything is signed',
    async check(sender, { session, from, to, assets }) {
      const ask = (assetId: number, units: bigint, maxFee: bigint) =>
        sender.plan(session, { from, intent: { kind: 'transfer', assetId, to, units }, maxFee })
      const codeOf = (plan: Awaited<ReturnType<typeof ask>>) => (plan.kind === 'refused' ? plan.why.code : plan.kind)
      same(codeOf(await ask(assets.token, 10n ** 30n, MAX_FEE)), 'short_of_asset', 'the refusal of a token')
      same(codeOf(await ask(assets.native, 10n ** 30n, MAX_FEE)), 'short_of_coin', 'the refusal of the coin')
      same(codeOf(await ask(assets.token, UNITS, 1n)), 'fee_above_ceiling', 'the refusal of the fee')
    },
  },
  {
    name: 'a node of another network is given nothing and asked nothing',
    async check(sender, chain) {
      const { signed } = await signedTransfer(sender, chain, chain.assets.native)
      const { from, to, assets, elsewhere } = chain
      const intent = { kind: 'transfer', assetId: assets.native, to, units: UNITS } as const
      await throws(sender.plan(elsewhere, { from, intent, maxFee: MAX_FEE }), 'plan')
      await throws(sender.broadcast(elsewhere, signed), 'broadcast')
      if (sender.sequences) await throws(sender.sequences(elsewhere, from), 'sequences')
    },
  },
]

const UNITS = 7n
const MAX_FEE = 10n ** 16n

/** A signed transfer with the next sequence that is not broadcast. */
async function signedTransfer(
  sender: ChainSender,
  { session, from, to, key, height }: SendingChain,
  assetId: number,
): Promise<{ tx: UnsignedTx; signed: SignedTx; facts: SentFacts }> {
  const sinceHeight = await height()
  const plan = await sender.plan(session, {
    from,
    intent: { kind: 'transfer', assetId, to, units: UNITS },
    maxFee: MAX_FEE,
  })
  if (plan.kind === 'refused') throw new Error(`it is refused: ${plan.why.code}`)
  const sequence = (await sender.sequences?.(session, from))?.pending ?? null
  const tx = { ...plan.tx, sequence }
  const signed = sender.sign(session.chain, tx, key)
  const attempts = [{ txId: signed.txId, validUntil: tx.validUntil, body: tx.body }]
  return { tx, signed, facts: { from, sequence, sinceHeight, attempts } }
}

function same(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected) throw new Error(`${what}: ${String(actual)} instead of ${String(expected)}`)
}

async function throws(work: Promise<unknown>, what: string): Promise<void> {
  const hasEnded = await work.then(
    () => true,
    () => false,
  )
  if (hasEnded) throw new Error(`${what} takes a node of another network`)
}
