import * as z from 'zod/mini'

import { text } from '../kit/fields.ts'
import { route } from '../kit/route.ts'
import { Wallet } from './schemas.ts'

const paths = ['/wallets/cold/eoa/blockchain/{id}'] as const
/** A blockchain by its id or code. */
const params = z.object({ id: z.string() })

/** An address that the merchant alone can spend from: money leaves deposit addresses for there. */
export const NewColdWallet = z.object({
  name: text('Name', { max: 100 }),
  address: text('Address', { max: 100 }),
  projectID: z.optional(z.int({ error: 'Project must be a number' })),
})

export type NewColdWallet = z.output<typeof NewColdWallet>

export const coldWalletsRoutes = {
  listColdWallets: route({
    id: 'W6',
    methods: ['GET'],
    paths,
    summary: 'List the cold wallets of a blockchain',
    access: { permission: 'wallet:read' },
    rate: 'dashboard',
    params,
    response: z.array(Wallet),
    errors: ['BLOCKCHAIN_NOT_FOUND'],
  }),
  addColdWallet: route({
    id: 'W6',
    methods: ['POST'],
    paths,
    summary: 'Add a cold wallet; on mainnet it is usable after a day, and every root gets an e-mail',
    access: { permission: 'wallet:write', stepUp: 'M' },
    rate: 'dashboard',
    params,
    body: NewColdWallet,
    response: Wallet,
    status: 201,
    errors: [
      'STEP_UP_MISMATCH',
      'BLOCKCHAIN_NOT_FOUND',
      'ADDRESS_INVALID',
      'ADDRESS_IS_OURS',
      'WALLET_EXISTS',
      'FAMILY_UNSUPPORTED',
    ],
  }),
}
