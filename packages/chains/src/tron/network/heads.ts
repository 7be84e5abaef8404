import type { BlockRef, Chain, ChainSession, Heads, Identity } from '../../adapter.ts'
import { NodeRejected, RetryableRpcError } from '../../errors.ts'
import type { NodeClient } from '../../node/client.ts'
import { object, readBlockRef } from '../encoding/wire.ts'
import { ask, askAll, askEach, walletCall } from './calls.ts'

const GENESIS = walletCall('getblockbynum', { num: 0 })
const LATEST = walletCall('getnowblock')
const FINAL = walletCall('getnowblock', {}, 'walletsolidity')

/** The digits of block 0's id that are the chain id (TIP-474). */
const CHAIN_ID_DIGITS = 8

/**
 * Read at every identification of a node. A node that changes its network afterwards answers with blocks that do not follow
 * ours.
 */
const genesisOf = new WeakMap<NodeClient, string>()

/** Identifies a node: its block 0, its program, and whether it knows which blocks are final. */
export async function identify(session: ChainSession): Promise<Identity> {
  genesisOf.delete(session.node)
  const genesis = await genesisHash(session)
  const [about, final] = await askEach(session, [walletCall('getnodeinfo'), FINAL])
  return {
    chainIdentifier: `${chainIdOf(genesis)}:${genesis}`,
    client: about?.status === 'fulfilled' ? clientOf(about.value) : '',
    completeness: final?.status === 'fulfilled' ? 1 : 0.5,
    isExpected: isExpected(session.chain, genesis),
  }
}

/**
 * Reads the newest and the newest final block. On the sandbox the second is left out: finality there is a number of
 * confirmations.
 * @throws NodeRejected when the node serves another network
 */
export async function readHeads(session: ChainSession): Promise<Heads> {
  const { chain } = session
  await requireOwnNetwork(session)
  const answers = await askAll(session, chain.mode === 'sandbox' ? [LATEST] : [LATEST, FINAL])
  const [latest, finalized] = answers.map(readBlockRef)
  if (!latest) throw new RetryableRpcError('malformed', 'The node has no newest block')
  if (finalized) requireBelow(latest, finalized)
  return finalized ? { latest, finalized } : { latest }
}

/** Reads the newest final ("solidified") block. */
export async function readSolidified(session: ChainSession): Promise<BlockRef> {
  const block = readBlockRef(await ask(session, FINAL))
  if (block) return block
  throw new RetryableRpcError('malformed', 'The node has no final block')
}

/** Passes a node of the session's network. @throws NodeRejected for any other */
export async function requireOwnNetwork(session: ChainSession): Promise<void> {
  const genesis = await genesisHash(session)
  if (isExpected(session.chain, genesis)) return
  throw new NodeRejected(`The node serves chain ${chainIdOf(genesis)}, not ${session.chain.network.name}`)
}

async function genesisHash(session: ChainSession): Promise<string> {
  const known = genesisOf.get(session.node)
  if (known !== undefined) return known
  const block = readBlockRef(await ask(session, GENESIS))
  if (!block) throw new RetryableRpcError('malformed', 'The node has no block 0')
  genesisOf.set(session.node, block.hash)
  return block.hash
}

/** A sandbox chain creates a new block 0 each time, so only its chain id is compared. */
function isExpected({ network }: Chain, genesis: string): boolean {
  if (network.genesisHash !== undefined) return network.genesisHash === genesis
  return network.chainId === chainIdOf(genesis)
}

function chainIdOf(genesis: string): number {
  return Number.parseInt(genesis.slice(-CHAIN_ID_DIGITS), 16)
}

function requireBelow(latest: BlockRef, finalized: BlockRef): void {
  if (finalized.height < latest.height || finalized.hash === latest.hash) return
  throw new RetryableRpcError(
    'inconsistent',
    `The node calls block ${finalized.height} final above its head ${latest.height}`,
  )
}

function clientOf(answer: unknown): string {
  const info = object(answer, 'node info')['configNodeInfo']
  const version = info === undefined ? undefined : object(info, 'configNodeInfo')['codeVersion']
  return typeof version === 'string' ? `java-tron/${version}` : ''
}
