import * as z from 'zod/mini'

import { route } from '../kit/route.ts'
import { AssetChange, BlockchainChange } from './inputs.ts'
import { Asset, Blockchain } from './schemas.ts'

export const blockchainChangesRoutes = {
  changeBlockchain: route({
    id: 'B3',
    methods: ['PUT', 'PATCH'],
    paths: ['/blockchain/{x}'],
    summary: 'Change a blockchain: absent keeps, empty clears; with `rescan` its blocks are read again from a height.',
    access: { permission: 'blockchain:write', stepUp: 'S' },
    rate: 'dashboard',
    params: z.object({ x: z.string() }),
    body: BlockchainChange,
    response: Blockchain,
    errors: [
      'BLOCKCHAIN_NOT_FOUND',
      'EGRESS_NOT_ALLOWED',
      'NODE_WRONG_NETWORK',
      'NODE_UNREACHABLE',
      'LAST_NODE',
      'FAMILY_UNSUPPORTED',
    ],
  }),

  changeAsset: route({
    id: 'B11',
    methods: ['PUT', 'PATCH'],
    paths: ['/blockchain-currency/blockchain/{b}/currency/{c}'],
    summary: 'Change the switches and limits of a currency; address, standard and precision never change.',
    access: { permission: 'blockchain:write', stepUp: 'S' },
    rate: 'dashboard',
    params: z.object({ b: z.string(), c: z.string() }),
    body: AssetChange,
    response: Asset,
    errors: ['ASSET_NOT_FOUND'],
  }),
}
