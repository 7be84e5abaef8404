import type { ChainSession, PlanRefusal } from '@kassa/chains/adapter.ts'
import type { SendIntent } from '@kassa/chains/send-intent.ts'
import { chainIn, sessionAlone } from '@kassa/chains/chain.ts'
import { connect } from '@kassa/chains/node/client.ts'
import { tronAdapter } from '@kassa/chains/tron/adapter.ts'
import { readHoldings } from '@kassa/chains/tron/state/holdings.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { ASSETS } from '@kassa/primitives/chains/assets.ts'
import { trx } from '@kassa/primitives/chains/definitions/trx.ts'
import { SANDBOX_TRON_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'

import { payerAddress, payerKey } from '../payer-account.ts'
import type { Paid, SandboxChain } from '../sandbox-chain.ts'

/** More than any transfer of the local chain costs, in sun. */
const PLENTY = 1_000_000_000n

/** The first four bytes of `transfer(address,uint256)`. */
const TRANSFER = 'a9059cbb'

/** The 20 bytes of the payer's account: the same on every local chain. */
export const payerAccount = Buffer.from(payerAddress.slice(2), 'hex')

/** An account of the local chain that sends as a wallet would: planned, signed and broadcast through the chain's node. */
export function tronAccount(url: string, key: Uint8Array) {
  const chain = chainIn('sandbox', trx)
  const address = tronAdapter.privateKeys.address(chain, key)
  const session = (): ChainSession => sessionAlone(chain, connect({ id: 0, url }))
  const send = async (intent: SendIntent): Promise<Paid> => {
    const { sender, reader } = tronAdapter
    const planned = await sender.plan(session(), { from: address, intent, maxFee: PLENTY })
    if (planned.kind === 'refused') return refuse(planned.why)
    const signed = sender.sign(chain, planned.tx, key)
    const taken = await sender.broadcast(session(), signed)
    if (taken !== 'accepted') throw new Error('The local chain of TRON refused a payment')
    const facts = await reader.transaction(session(), signed.txId)
    if (facts.state !== 'included') throw new Error(`The sandbox payment ${signed.txId} failed on TRX`)
    return { txHash: signed.txId, height: facts.block.height }
  }
  return { chain, address, session, send }
}

/** Pays on the local chain of TRON. */
export function tronPayer(url: string): Pick<SandboxChain, 'pay' | 'payLookAlike' | 'balances'> & { address: string } {
  const { chain, address, session, send } = tronAccount(url, Buffer.from(payerKey.slice(2), 'hex'))
  return {
    address,
    pay: ({ asset, to, units }) => send({ kind: 'transfer', assetId: asset.id, to, units }),
    payLookAlike: ({ to, units }) => {
      const receiver = Buffer.from(tronAdapter.addresses.key(chain, to)).toString('hex').padStart(64, '0')
      const data = `0x${TRANSFER}${receiver}${units.toString(16).padStart(64, '0')}`
      return send({ kind: 'call', to: SANDBOX_TRON_TOKENS.lookAlikeUsdc, data, units: 0n })
    },
    balances: async () => {
      const assets = ASSETS.filter((asset) => asset.blockchain === 'TRX' && asset.addresses.sandbox !== null)
      return Promise.all(
        assets.map(async (asset) => ({ asset, units: await readHoldings(session(), address, asset.id) })),
      )
    },
  }
}

function refuse(why: PlanRefusal): never {
  if (why.code === 'would_fail') return fail('VALIDATION_FAILED', { message: why.reason })
  const message = 'The payer of the sandbox has less than this amount'
  return fail('VALIDATION_FAILED', { message, fields: { amount: message } })
}
