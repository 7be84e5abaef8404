/**
 * `npm run verify-vault -- <node> <address>`: proves with any node, without the server and its database, that a sweep contract is
 * of this release, byte for byte, and says who owns it and where its money goes. Ends with 0 only when it is.
 */
import { evmAdapter } from '@kassa/chains/evm/adapter.ts'
import { chainIn, sessionAlone } from '@kassa/chains/chain.ts'
import { connect } from '@kassa/chains/node/client.ts'
import type { Address, ChainSession } from '@kassa/chains/adapter.ts'
import { eth } from '@kassa/primitives/chains/definitions/eth.ts'

const USAGE = 'Name a node and a contract: npm run verify-vault -- https://node.example 0x…'

process.exitCode = await verifyVault(process.argv.slice(2))

async function verifyVault([url, text]: readonly string[]): Promise<number> {
  if (url === undefined || text === undefined || !URL.canParse(url)) {
    console.error(USAGE)
    return 2
  }
  // The code and its addresses are the same on every EVM chain: which one the node serves does not matter.
  const chain = chainIn('mainnet', eth)
  try {
    const address = evmAdapter.addresses.normalize(chain, text)
    return await prove(sessionAlone(chain, connect({ id: 0, url })), address)
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    return 2
  }
}

async function prove(session: ChainSession, address: Address): Promise<number> {
  const { vaults } = evmAdapter
  if (!(await vaults.isOurs(session, address))) {
    console.log(`${address} is NOT a sweep contract of this release: it has other code, or none.`)
    return 1
  }
  const { owner, collector, proposed, proposedOwner, isFrozen } = await vaults.state(session, address)
  console.log(
    `${address} is a sweep contract of this release, byte for byte, made by factory ${vaults.factory(session.chain)}.`,
  )
  console.log(`Owner      ${owner}`)
  console.log(`Collector  ${collector}${isFrozen ? ', for ever' : ''}`)
  if (proposed) console.log(`Proposed   ${proposed.collector}, from ${proposed.readyAt.toISOString()} on`)
  if (proposedOwner) console.log(`New owner  ${proposedOwner.owner}, from ${proposedOwner.readyAt.toISOString()} on`)
  console.log(
    `Deposits   ${vaults.deposit(session.chain, address, 1)}, ${vaults.deposit(session.chain, address, 2)}, …`,
  )
  return 0
}
