import type { BlockRef, Chain, ChainSession, Heads, Identity } from '../../adapter.ts'
import { NodeRejected } from '../../errors.ts'
import { requireWork } from '../encoding/proof-of-work.ts'
import { malformed, readHeader, refOf } from '../encoding/wire.ts'
import { protocolOf, recognize, recognizeAnew } from './recognize.ts'

/** Block 0 of a local chain: of Bitcoin Core's regtest, and of Litecoin Core's, which serves in its place. */
const LOCAL_GENESIS: ReadonlySet<string> = new Set([
  '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
  '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9',
])

/** Identifies a node: its block 0, its program, and whether it finds every transaction (bitcoind: `-txindex`). */
export async function identify(session: ChainSession): Promise<Identity> {
  const { protocol, genesis } = await recognizeAnew(session)
  return {
    chainIdentifier: genesis,
    ...(await protocol.about(session)),
    isExpected: isExpected(session.chain, genesis),
  }
}

/** Reads the newest block; only depth makes one final. @throws NodeRejected when the node serves another network */
export async function readHeads(session: ChainSession): Promise<Heads> {
  await requireOwnNetwork(session)
  const protocol = await protocolOf(session)
  return { latest: await readBlockRef(session, await protocol.newestHash(session)) }
}

/** Reads the position of a block by its hash; its header proves the rest. @throws RetryableRpcError */
export async function readBlockRef(session: ChainSession, hash: string): Promise<BlockRef> {
  const protocol = await protocolOf(session)
  const [height, bytes] = await Promise.all([protocol.heightOf(session, hash), protocol.header(session, hash)])
  const header = readHeader(bytes)
  if (header.hash !== hash) throw malformed('header')
  requireWork(session, header, height)
  return refOf(header, height)
}

/** @throws NodeRejected when the node serves another network */
export async function requireOwnNetwork(session: ChainSession): Promise<void> {
  const { genesis } = await recognize(session)
  if (isExpected(session.chain, genesis)) return
  throw new NodeRejected(`The node serves another network than ${session.chain.network.name}`)
}

/** The sandbox has no block 0 of its own: its local chain may be of either program. */
function isExpected({ network }: Chain, genesis: string): boolean {
  return network.genesisHash === undefined ? LOCAL_GENESIS.has(genesis) : network.genesisHash === genesis
}
