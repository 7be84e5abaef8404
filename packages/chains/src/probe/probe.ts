import type { BlockFacts, ChainAdapter, ChainSession, Heads, Transfer, TransferFilter } from '../adapter.ts'
import { NodeRejected, RetryableRpcError } from '../errors.ts'

/** The result of a rule for a node: it holds, with what was seen, or it does not, with the reason. */
export type Finding = { readonly rule: string; readonly holds: boolean; readonly says: string }

/** How many transactions are read one by one. */
const ASKED = 3

/** A chain stands still when its newest block is older than this many usual block times. */
const STILL_AFTER = 100

/**
 * Reads real blocks of a network through the adapter and checks the rules that every reader keeps (money.md 8.3): which network
 * the node serves, where its heads are, that blocks follow each other, that transfers can be read again one by one, what tokens
 * state about themselves, and what addresses hold. Rules that depend on a failed one are left out.
 */
export async function probe(adapter: ChainAdapter, session: ChainSession, blocks: number): Promise<Finding[]> {
  const findings: Finding[] = []
  const check = async <T>(rule: string, read: () => Promise<{ readonly found: T; readonly says: string }>) => {
    try {
      const { found, says } = await read()
      findings.push({ rule, holds: true, says })
      return found
    } catch (error) {
      if (!isOfNode(error)) throw error
      findings.push({ rule, holds: false, says: error.message })
      return null
    }
  }
  await check('identity', () => identity(adapter, session))
  const heads = await check('heads', () => readHeads(adapter, session))
  const facts = heads && (await check('blocks', () => readBlocks(adapter, session, heads, blocks)))
  if (!facts) return findings
  const transfers = facts.flatMap((one) => one.transfers)
  await check('transfers', async () => transfersHold(session, adapter, transfers))
  await check('transactions', () => readAgain(adapter, session, facts))
  await check('tokens', () => tokens(adapter, session))
  await check('balances', () => balances(adapter, session, transfers))
  await check('mempool', () => mempool(adapter, session))
  return findings
}

/** A rule that does not hold. */
class RuleBroken extends Error {}

function isOfNode(error: unknown): error is Error {
  return error instanceof RuleBroken || error instanceof RetryableRpcError || error instanceof NodeRejected
}

function hold(condition: boolean, says: string): void {
  if (!condition) throw new RuleBroken(says)
}

async function identity({ reader }: ChainAdapter, session: ChainSession) {
  const { isExpected, chainIdentifier, client, completeness } = await reader.identify(session)
  hold(isExpected, `It is of another network: ${chainIdentifier}.`)
  const offered = `offers ${Math.round(completeness * 100)} % of what is used`
  return { found: chainIdentifier, says: `${client || 'unnamed program'}, ${chainIdentifier}, ${offered}` }
}

async function readHeads({ reader }: ChainAdapter, session: ChainSession) {
  const heads = await reader.heads(session)
  const { latest, finalized } = heads
  hold(!finalized || finalized.height <= latest.height, 'A final block is above the newest.')
  const age = Math.round((Date.now() - latest.minedAt.getTime()) / 1000)
  const { blockSeconds } = session.chain.blockchain
  hold(session.chain.mode === 'sandbox' || age < blockSeconds * STILL_AFTER, `The newest block is ${age} s old.`)
  const final = finalized ? `final to ${finalized.height}` : 'final by depth'
  return { found: heads, says: `newest ${latest.height}, ${age} s old, ${final}` }
}

async function readBlocks(adapter: ChainAdapter, session: ChainSession, { latest }: Heads, count: number) {
  const { reader } = adapter
  const filter: TransferFilter = {
    assets: new Set(session.chain.assets.map(({ id }) => id)),
    matches: lookedAt(adapter),
  }
  const from = Math.max(0, latest.height - count + 1)
  const facts = await reader.blocks(session, { from, to: latest.height }, filter)
  hold(facts.length > 0, `There is no block from ${from} to ${latest.height}.`)
  for (const [at, { block }] of facts.entries()) {
    const before = facts[at - 1]?.block
    if (!before) continue
    hold(block.parentHash === before.hash, `Block ${block.height} does not follow ${before.height}.`)
    hold(block.height > before.height, `Block ${block.height} is not above ${before.height}.`)
    hold(
      reader.leavesHeightsOut === true || block.height === before.height + 1,
      `Height ${before.height + 1} is left out.`,
    )
  }
  // A reader stops where blocks do not follow each other.
  const last = facts.at(-1)?.block
  hold(
    last?.hash === latest.hash,
    `The blocks end at ${last?.height}, and do not lead to the newest, ${latest.height}.`,
  )
  const transfers = facts.reduce((sum, one) => sum + one.transfers.length, 0)
  return { found: facts, says: `${facts.length} blocks from ${from} on, ${transfers} transfers of listed assets` }
}

/**
 * Which addresses are read: all of them. On chains with outputs it is one address in 64, because each spent output needs a
 * look-up of its transaction.
 */
function lookedAt({ psbts }: ChainAdapter): TransferFilter['matches'] {
  // This byte is part of a hash in every script that an address stands for.
  return psbts ? (key) => (key.at(-3) ?? 0) < 4 : () => true
}

/** A single transaction shows what its outputs received, but not whose coins they were (BTC). */
function isReportedAlone({ to, fee, isFromUs }: Transfer): boolean {
  return to !== '' && fee === undefined && isFromUs !== true
}

async function transfersHold({ chain }: ChainSession, { addresses }: ChainAdapter, transfers: readonly Transfer[]) {
  const places = new Set<string>()
  for (const { txId, leg, units, assetId, to } of transfers) {
    hold(units > 0n, `A transfer of nothing in ${txId}.`)
    hold(
      chain.assets.some(({ id }) => id === assetId),
      `A transfer of an asset that is not listed in ${txId}.`,
    )
    hold(
      to === '' || addresses.format(chain, addresses.key(chain, to)) === to,
      `${to} is spelled in another way than its key.`,
    )
    hold(!places.has(`${txId} ${leg}`), `Two transfers of one name in ${txId}.`)
    places.add(`${txId} ${leg}`)
  }
  return { found: true, says: `${places.size} places, each once` }
}

async function readAgain({ reader }: ChainAdapter, session: ChainSession, facts: readonly BlockFacts[]) {
  const seen = new Map(
    facts.flatMap(({ block, transfers }) =>
      transfers.filter(isReportedAlone).map((one) => [one.txId, { block, one }] as const),
    ),
  )
  for (const [txId, { block, one }] of [...seen].slice(0, ASKED)) {
    const again = await reader.transaction(session, txId)
    hold(again.state === 'included', `${txId} is ${again.state} when it is asked for.`)
    if (again.state !== 'included') continue
    hold(again.block.hash === block.hash, `${txId} is in another block when it is asked for.`)
    const same = again.transfers.find(({ leg }) => leg === one.leg)
    hold(same?.units === one.units && same.to === one.to, `${txId} moves something else when it is asked for.`)
  }
  return { found: true, says: `${Math.min(seen.size, ASKED)} read one by one, the same` }
}

async function tokens({ contracts }: ChainAdapter, session: ChainSession) {
  const listed = session.chain.assets.filter(({ standard }) => standard !== 'native')
  if (!contracts || listed.length === 0) return { found: true, says: 'none' }
  const stated = await contracts.read(
    session,
    listed.map(({ id }) => id),
  )
  for (const { assetId, hasCode, decimals } of stated) {
    const asset = listed.find(({ id }) => id === assetId)
    hold(hasCode, `There is no token at ${asset?.address}.`)
    hold(decimals === asset?.decimals, `${asset?.currency} has ${decimals} decimals, not ${asset?.decimals}.`)
  }
  return { found: true, says: listed.map(({ currency, decimals }) => `${currency} of ${decimals} decimals`).join(', ') }
}

async function balances(
  { balances: old, holdings }: ChainAdapter,
  session: ChainSession,
  transfers: readonly Transfer[],
) {
  const asks = transfers.slice(0, ASKED).map(({ assetId, to }) => ({ assetId, address: to }))
  if (old) await old.read(session, asks)
  else if (holdings) await holdings.read(session, asks)
  else return { found: true, says: 'not read in this family' }
  return { found: true, says: `of ${asks.length} addresses` }
}

async function mempool({ mempool: waiting }: ChainAdapter, session: ChainSession) {
  if (!waiting) return { found: true, says: 'not read in this family' }
  return { found: true, says: `${(await waiting.list(session)).length} transactions wait` }
}
