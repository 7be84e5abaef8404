import * as z from 'zod/mini'

import { route } from '../kit/route.ts'
import { Asset, Blockchain, BlockchainFacts, BlockchainFamily, Currency, PublicAsset } from './schemas.ts'

const assetPath = z.object({ b: z.string(), c: z.string() })

export const blockchainsRoutes = {
  listBlockchains: route({
    id: 'B1',
    methods: ['GET'],
    paths: ['/blockchains'],
    summary: 'Every blockchain with its nodes and how far it has been read.',
    access: { permission: 'blockchain:read' },
    rate: 'dashboard',
    query: z.object({ status: z.optional(z.enum(['active', 'inactive'])) }),
    response: z.array(Blockchain),
    errors: [],
  }),

  getBlockchain: route({
    id: 'B2',
    methods: ['GET'],
    paths: ['/blockchain/{x}'],
    summary:
      'One blockchain by id, code or alias; for a family name, `all` or `static` the unchanging facts of several.',
    access: { operator: true },
    rate: 'dashboard',
    params: z.object({ x: z.string() }),
    response: z.union([Blockchain, z.array(BlockchainFacts)]),
    errors: ['BLOCKCHAIN_NOT_FOUND'],
  }),

  listFamilies: route({
    id: 'B8',
    methods: ['GET'],
    paths: ['/blockchain-family'],
    summary: 'The families of blockchains.',
    access: { operator: true },
    rate: 'dashboard',
    response: z.array(BlockchainFamily),
    errors: [],
  }),

  listAssets: route({
    id: 'B9',
    methods: ['GET'],
    paths: ['/blockchain-currency'],
    summary: 'Every currency on every blockchain.',
    access: { permission: 'blockchain:read' },
    rate: 'dashboard',
    query: z.object({ blockchainCode: z.optional(z.string()), visible: z.optional(z.boolean()) }),
    response: z.array(Asset),
    errors: [],
  }),

  getAsset: route({
    id: 'B10',
    methods: ['GET'],
    paths: ['/blockchain-currency/blockchain/{b}/currency/{c}'],
    summary: 'One currency on one blockchain, each by code or id.',
    access: { permission: 'blockchain:read' },
    rate: 'dashboard',
    params: assetPath,
    response: Asset,
    errors: ['ASSET_NOT_FOUND'],
  }),

  listCurrencies: route({
    id: 'B12',
    methods: ['GET'],
    paths: ['/currency'],
    summary: 'Every currency, whichever blockchains it is on.',
    access: { operator: true },
    rate: 'dashboard',
    response: z.array(Currency),
    errors: [],
  }),

  listPublicAssets: route({
    id: 'B14',
    methods: ['GET'],
    paths: ['/currencies'],
    summary: 'The visible currencies on each blockchain, for anybody.',
    access: { public: true },
    rate: 'checkout-read',
    response: z.array(PublicAsset),
    errors: [],
  }),
}
