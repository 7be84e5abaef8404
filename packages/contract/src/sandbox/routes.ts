import * as z from 'zod/mini'

import { int, uuid } from '../kit/codecs.ts'
import { wholeNumber } from '../kit/fields.ts'
import { route } from '../kit/route.ts'
import { Delivery } from '../webhooks/schemas.ts'
import { Fund, SandboxEmail, Paid, Pay, Sandbox } from './schemas.ts'

const chainPath = z.object({ b: z.string() })
const Height = z.object({ height: int })

export const sandboxRoutes = {
  getSandbox: route({
    id: 'X1',
    methods: ['GET'],
    paths: ['/sandbox'],
    summary: 'Read the local chains and the payer’s balances',
    access: { permission: 'sandbox:use' },
    rate: 'dashboard',
    response: Sandbox,
    errors: [],
    sandboxOnly: true,
  }),
  payAsCustomer: route({
    id: 'X2',
    methods: ['POST'],
    paths: ['/sandbox/payment/{ref}/pay'],
    summary: 'Pay a payment with a real transfer on a local chain',
    access: { permission: 'sandbox:use' },
    rate: 'dashboard',
    params: z.object({ ref: uuid }),
    body: Pay,
    response: Paid,
    errors: ['PAYMENT_NOT_FOUND', 'ASSET_NOT_ACCEPTED', 'PAYMENT_NOT_OPEN', 'NO_DEPOSIT_ADDRESS', 'RATE_UNAVAILABLE'],
    repeatable: true,
    sandboxOnly: true,
  }),
  mineBlocks: route({
    id: 'X3m',
    methods: ['POST'],
    paths: ['/sandbox/chain/{b}/mine'],
    summary: 'Mine empty blocks on a local chain',
    access: { permission: 'sandbox:use' },
    rate: 'dashboard',
    params: chainPath,
    body: z.object({ blocks: z.optional(wholeNumber('Blocks', 1, 100)) }),
    response: Height,
    errors: ['BLOCKCHAIN_NOT_FOUND'],
    repeatable: true,
    sandboxOnly: true,
  }),
  reorganise: route({
    id: 'X3r',
    methods: ['POST'],
    paths: ['/sandbox/chain/{b}/reorg'],
    summary: 'Replace the newest blocks of a local chain',
    access: { permission: 'sandbox:use' },
    rate: 'dashboard',
    params: chainPath,
    body: z.object({ depth: wholeNumber('Depth', 1, 64) }),
    response: Height,
    errors: ['BLOCKCHAIN_NOT_FOUND'],
    repeatable: true,
    sandboxOnly: true,
  }),
  sendSandboxEvent: route({
    id: 'X4',
    methods: ['POST'],
    paths: ['/sandbox/webhook/{event}'],
    summary: 'Send an event of any type to every active endpoint you may see',
    access: { permission: 'sandbox:use' },
    rate: 'egress',
    params: z.object({ event: z.string() }),
    /** Without a reference the payload shows a payment that does not exist. */
    body: z.object({ referenceID: z.optional(uuid) }),
    response: z.object({ deliveries: z.array(Delivery) }),
    errors: ['EVENT_UNKNOWN', 'PAYMENT_NOT_FOUND'],
    repeatable: true,
    sandboxOnly: true,
  }),
  fundWallet: route({
    id: 'X6',
    methods: ['POST'],
    paths: ['/sandbox/fund'],
    summary: 'Have the payer of the sandbox send coins to a hot wallet',
    access: { permission: 'sandbox:use' },
    rate: 'dashboard',
    body: Fund,
    response: Paid,
    errors: ['WALLET_NOT_FOUND', 'ASSET_NOT_FOUND', 'BLOCKCHAIN_NOT_FOUND'],
    repeatable: true,
    sandboxOnly: true,
  }),
  listEmails: route({
    id: 'X5',
    methods: ['GET'],
    paths: ['/sandbox/mail'],
    summary: 'List the e-mails that were kept because there is no mail server, newest first',
    access: { permission: 'sandbox:use' },
    rate: 'dashboard',
    response: z.array(SandboxEmail),
    errors: [],
    sandboxOnly: true,
  }),
}
