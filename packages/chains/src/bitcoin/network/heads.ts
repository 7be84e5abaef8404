import type { BlockRef, Chain, ChainSession, Heads, Identity } from '../../adapter.ts'
import { NodeRejected } from '../../errors.ts'
import type { NodeClient } from '../../node/client.ts'
import { bytesOf, hashText, integer, malformed, object, readHeader, refOf } from '../encoding/wire.ts'
import { ask } from './calls.ts'

/** Block 0 of a local chain: of Bitcoin Core's regtest, and of Litecoin Core's, which serves in its place. */
const LOCAL_GENESIS: ReadonlySet<string> = new Set([
  '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
  '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9',
])

/** Asked once per node; one that changes its network afterwards answers with blocks that do not follow ours. */
const genesisOf = new WeakMap<NodeClient, string>()

/** Asks a node who it is: its block 0, its program, and whether it finds every transaction (`-txindex`). */
export async function identify(session: ChainSession): Promise<Identity> {
  const genesis = await genesisHash(session)
  const [about, indexes] = await Promise.allSettled([ask(session, 'getnetworkinfo'), ask(session, 'getindexinfo')])
  return {
    chainIdentifier: genesis,
    client: about.status === 'fulfilled' ? clientOf(about.value) : '',
    completeness: indexes.status === 'fulfilled' && 'txindex' in object(indexes.value, 'indexes') ? 1 : 0.5,
    isExpected: isExpected(session.chain, genesis),
  }
}

/** Reads the newest block; nothing is final but by its depth. @throws NodeRejected when the node serves another network */
export async function readHeads(session: ChainSession): Promise<Heads> {
  await requireOwnNetwork(session)
  const hash = hashText(await ask(session, 'getbestblockhash'), 'hash')
  return { latest: await readBlockRef(session, hash) }
}

/** Reads where a block stands, by its hash; its header proves the rest. @throws RetryableRpcError */
export async function readBlockRef(session: ChainSession, hash: string): Promise<BlockRef> {
  const [place, bytes] = await Promise.all([
    ask(session, 'getblockheader', hash, true),
    ask(session, 'getblockheader', hash, false),
  ])
  const header = readHeader(bytesOf(bytes, 'header'))
  if (header.hash !== hash) throw malformed('header')
  return refOf(header, integer(object(place, 'header')['height'], 'height'))
}

/** @throws NodeRejected when the node serves another network */
export async function requireOwnNetwork(session: ChainSession): Promise<void> {
  const genesis = await genesisHash(session)
  if (isExpected(session.chain, genesis)) return
  throw new NodeRejected(`The node serves another network than ${session.chain.network.name}`)
}

async function genesisHash(session: ChainSession): Promise<string> {
  const known = genesisOf.get(session.node)
  if (known !== undefined) return known
  const hash = hashText(await ask(session, 'getblockhash', 0), 'hash')
  genesisOf.set(session.node, hash)
  return hash
}

/** A network without a block 0 of its own is the sandbox: a local chain may be of either program. */
function isExpected({ network }: Chain, genesis: string): boolean {
  return network.genesisHash === undefined ? LOCAL_GENESIS.has(genesis) : network.genesisHash === genesis
}

function clientOf(answer: unknown): string {
  const { subversion } = object(answer, 'network info')
  return typeof subversion === 'string' ? subversion.replaceAll('/', '').replace(':', '/') : ''
}
