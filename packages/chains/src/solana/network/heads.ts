import type { BlockRef, ChainSession, Heads, Identity } from '../../adapter.ts'
import { NodeRejected, RetryableRpcError } from '../../errors.ts'
import type { NodeClient } from '../../node/client.ts'
import { list, object, readBlockRef, slotOf } from '../encoding/wire.ts'
import { ask, commitmentOf } from './calls.ts'

/**
 * Read at every identification of a node. A node that changes its network afterwards answers with blocks that do not follow
 * ours.
 */
const genesisOf = new WeakMap<NodeClient, string>()

/** Identifies a node: its genesis hash and program, and whether it returns blocks. */
export async function identify(session: ChainSession): Promise<Identity> {
  genesisOf.delete(session.node)
  const genesis = await genesisHash(session)
  const [version, block] = await Promise.allSettled([ask(session, 'getVersion'), newestBlock(session)])
  return {
    chainIdentifier: genesis,
    client: version.status === 'fulfilled' ? clientOf(version.value) : '',
    completeness: block.status === 'fulfilled' ? 1 : 0.5,
    isExpected: genesis === session.chain.network.genesisHash,
  }
}

/**
 * Reads the newest block that may be read, which is final on public networks.
 * @throws NodeRejected when the node serves another network
 */
export async function readHeads(session: ChainSession): Promise<Heads> {
  await requireOwnNetwork(session)
  const latest = await newestBlock(session)
  return session.chain.mode === 'sandbox' ? { latest } : { latest, finalized: latest }
}

/** @throws NodeRejected when the node serves another network */
export async function requireOwnNetwork(session: ChainSession): Promise<void> {
  const genesis = await genesisHash(session)
  if (genesis === session.chain.network.genesisHash) return
  throw new NodeRejected(`The node serves the network of genesis ${genesis}, not ${session.chain.network.name}`)
}

/** Names one block without its transactions. @throws RetryableRpcError when its slot was skipped or is not here */
export async function blockAt(session: ChainSession, slot: number): Promise<BlockRef> {
  const options = { commitment: commitmentOf(session), transactionDetails: 'none', rewards: false }
  return readBlockRef(slot, await ask(session, 'getBlock', slot, { ...options, maxSupportedTransactionVersion: 0 }))
}

/** A range of slots that always contains a block: far more than were ever skipped in a row while a network ran. */
const LOOK_BACK = 512

async function newestBlock(session: ChainSession): Promise<BlockRef> {
  const commitment = commitmentOf(session)
  const head = slotOf(await ask(session, 'getSlot', { commitment }))
  const from = Math.max(0, head - LOOK_BACK)
  const slots = list(await ask(session, 'getBlocks', from, head, { commitment }), 'slots').map(slotOf)
  const newest = slots.at(-1)
  if (newest === undefined) throw new RetryableRpcError('malformed', 'The node has no newest block')
  return blockAt(session, newest)
}

async function genesisHash(session: ChainSession): Promise<string> {
  const known = genesisOf.get(session.node)
  if (known !== undefined) return known
  const genesis = await ask(session, 'getGenesisHash')
  if (typeof genesis !== 'string') throw new RetryableRpcError('malformed', 'The node has no genesis hash')
  genesisOf.set(session.node, genesis)
  return genesis
}

function clientOf(answer: unknown): string {
  const version = object(answer, 'version')['solana-core']
  return typeof version === 'string' ? `solana/${version}` : ''
}
