import * as z from 'zod/mini'

import { int } from '../kit/codecs.ts'
import { route } from '../kit/route.ts'
import { walletMachine } from './machine.ts'
import {
  LinkWallets,
  NewDepositWallet,
  NewFamilyXpub,
  PoolGrowth,
  ProjectWallet,
  Wallet,
  WALLET_TYPES,
} from './schemas.ts'

const projectPath = z.object({ p: z.string() })
const familyPath = z.object({ f: z.string() })

const walletFilters = z.object({
  walletType: z.optional(z.array(z.enum(WALLET_TYPES, { error: 'Unknown wallet type' }))),
  family: z.optional(z.array(z.string())),
  status: z.optional(z.array(z.enum(walletMachine.states, { error: 'Status must be one of: active, inactive' }))),
})

export const walletsRoutes = {
  listWallets: route({
    id: 'W1',
    methods: ['GET'],
    paths: ['/wallets'],
    summary: 'List wallets; extended public keys are masked',
    access: { permission: 'wallet:read' },
    rate: 'dashboard',
    query: walletFilters,
    response: z.array(Wallet),
    errors: [],
  }),
  listWalletsOfProject: route({
    id: 'W1p',
    methods: ['GET'],
    paths: ['/project/{p}/wallets'],
    summary: 'List the wallets linked to a project; with `all` those that no project uses yet, too',
    access: { permission: 'wallet:read' },
    rate: 'dashboard',
    params: projectPath,
    query: walletFilters,
    response: z.array(Wallet),
    errors: [],
  }),
  addDepositWallet: route({
    id: 'W8',
    methods: ['POST'],
    paths: ['/wallets/deposit/eoa/bulk'],
    summary: 'Add a deposit wallet from extended public keys',
    access: { permission: 'wallet:write', stepUp: 'S' },
    rate: 'dashboard',
    body: NewDepositWallet,
    response: Wallet,
    status: 201,
    errors: ['XPUB_INVALID', 'XPUB_IS_PRIVATE', 'XPUB_EXISTS', 'FAMILY_UNSUPPORTED'],
  }),
  addFamilyXpub: route({
    id: 'W18',
    methods: ['POST'],
    paths: ['/blockchain-family/{f}/xpub'],
    summary: 'Add a deposit wallet of one family and link it to every project without one, for older installers',
    access: { permission: 'wallet:write', stepUp: 'S' },
    rate: 'dashboard',
    params: familyPath,
    body: NewFamilyXpub,
    response: Wallet,
    status: 201,
    errors: ['XPUB_INVALID', 'XPUB_IS_PRIVATE', 'XPUB_EXISTS', 'FAMILY_UNSUPPORTED'],
    deprecated: true,
  }),
  growPool: route({
    id: 'W19',
    methods: ['POST'],
    paths: ['/blockchain-family/{f}/create-pool', '/blockchain-family/{f}/generate'],
    summary: 'Derive addresses of a family ahead; they are derived on demand, too',
    access: { permission: 'wallet:write' },
    rate: 'dashboard',
    params: familyPath,
    body: PoolGrowth,
    response: z.object({ requested: int, pool: int }),
    errors: ['WALLET_NOT_FOUND', 'FAMILY_UNSUPPORTED'],
    deprecated: true,
  }),
  listProjectWallets: route({
    id: 'W13',
    methods: ['GET'],
    paths: ['/project/{p}/wallet'],
    summary: "List a project's wallet per chain family",
    access: { permission: 'wallet:read' },
    rate: 'dashboard',
    params: projectPath,
    response: z.array(ProjectWallet),
    errors: [],
  }),
  linkWallets: route({
    id: 'W14',
    methods: ['POST', 'PUT'],
    paths: ['/project/{p}/wallet'],
    summary: 'Link deposit wallets to a project, one per chain family',
    access: { permission: 'wallet:link', stepUp: 'M' },
    rate: 'dashboard',
    params: projectPath,
    body: LinkWallets,
    response: z.array(ProjectWallet),
    errors: ['STEP_UP_MISMATCH', 'WALLET_NOT_FOUND', 'WALLET_NOT_DEPOSIT', 'FAMILY_MISMATCH', 'WALLET_INACTIVE'],
  }),
}
