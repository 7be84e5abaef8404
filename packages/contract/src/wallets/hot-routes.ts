import * as z from 'zod/mini'

import { route } from '../kit/route.ts'
import { NewHotWallet } from './hot-schemas.ts'
import { Wallet } from './schemas.ts'

export const hotWalletsRoutes = {
  addHotWallet: route({
    id: 'W9',
    methods: ['POST'],
    paths: ['/wallets/hot/eoa/blockchain_family/{f}'],
    summary: 'Add a hot wallet: the server makes its key, or takes one over; no route gives it out again',
    access: { permission: 'wallet:write', stepUp: 'M' },
    rate: 'dashboard',
    params: z.object({ f: z.string() }),
    body: NewHotWallet,
    response: Wallet,
    status: 201,
    errors: [
      'STEP_UP_MISMATCH',
      'PRIVATE_KEY_INVALID',
      'ADDRESS_IS_OURS',
      'VAULT_NOT_FOUND',
      'VAULT_LOCKED',
      'FAMILY_UNSUPPORTED',
    ],
  }),
}
