import { sweepApprovalsRoutes } from '@kassa/contract/sweeps/approval-routes.ts'
import { hexOf } from '@kassa/keys/evm/permission.ts'
import { readTronPermission, signTronPermission } from '@kassa/keys/tron/permission.ts'
import type { HDKey } from 'viem/accounts'

import type { TestApp } from '../app.ts'

type Signer = {
  readonly key: string
  /** Of the deposit wallet. */
  readonly account: HDKey
  readonly vault: string
  readonly collector: string
}

/** What the offline signer makes of a batch of the sandbox's TRON, by its currency and id. */
export function tronSigner(app: TestApp, { key, account, vault, collector }: Signer) {
  return async (c: string, batchID: string): Promise<{ addressID: number; signedTransaction: string }[]> => {
    const ask = { params: { b: 'TRX', c }, query: { batchID } }
    const { body } = await app.call(sweepApprovalsRoutes.getSigningJob, ask, { key })
    const ends = { token: body.currencyAddress, vault, collector }
    return body.data.map(({ addressID, path, approval }) => {
      const permission = readTronPermission(approval)
      const leaf = account.deriveChild(0).deriveChild(Number(path?.split('/').at(-1))).privateKey
      if (!permission || !leaf) throw new Error('It cannot be signed')
      const destination = { ...ends, chainId: 31_341n, mostFee: 15_000_000n }
      return { addressID, signedTransaction: hexOf(signTronPermission(permission, destination, leaf)) }
    })
  }
}
