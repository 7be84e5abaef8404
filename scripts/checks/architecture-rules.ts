/**
 * The sentences of the architecture, one per row of "who may import whom" in docs/decisions/0002-import-rules.md.
 * A rule in the import checker, the linter or an own check carries the sentence of its row as its message.
 */
export const architectureRules = {
  upwards: 'Nothing imports back up; no circles, type imports included',
  primitives: '`primitives` imports nothing, not even npm',
  keys: '`keys` computes with @noble and @scure, nothing else: the same in a browser, on a server and offline',
  contract: '`contract` may use primitives and zod, nothing else',
  chains: 'Chain adapters speak of transfers, never of payments; one family never imports another',
  apps: 'Server, dashboard and checkout share packages, not files; the one door between apps is `@kassa/checkout/render`, entered by `app.ts` only',
  payerPages: 'Pages of payers (`pages/payer`) are entered by their `mount.ts`',
  entries:
    'Another module is entered by a `service.ts` of its own or of one of its rooms; its tables, stores and rules are private',
  rooms:
    'Imports between the rooms of a module run down their order; the store of a room is private unless the room is a ground room',
  ledger: 'The ledger imports no other module: postings and invariants come from the module whose event they record',
  sql: 'Only `store.ts` speaks SQL; a store never calls a service, route or job',
  state: 'What a process remembers lives on its context (`remembered`): no file of the server has variables of its own',
  queues:
    'A queue is named once, where its job is defined or, for work of a module above, declared; work is sent by that value',
  notifications:
    'Only the publisher notifies, after the commit: a transaction that notifies lets no other one share its flush (0023)',
  modules:
    '`app.ts` lists every module once, in the order of modules; each names itself after its folder in `module.ts`',
  rules: '`rules.ts` computes: no database, chain, clock or HTTP',
  floors:
    'Dashboard layers: app > routes > features > labels > ui, api > lib; a route composes features, which never import each other; a room imports only the rooms written after it',
  ui: '`ui/` draws: it knows no api and no contract',
  declared: 'A package imports only what its package.json declares; only `config/` reads the environment',
  tidy: 'No `any`, no non-null `!`, no barrel files; file ≤ 400 lines, function ≤ 60; no dead exports, files or dependencies',
} as const

/**
 * The modules of the server by layer, lowest first: a module may enter those before it, never those after it.
 * A new module takes its place here before its first import (docs/guides/add-a-module.md).
 */
const moduleLayers = {
  facts: ['alarms', 'vaults', 'settings', 'audit', 'mail', 'backups', 'blockchains', 'operators', 'projects'],
  tools: [
    'auth',
    'devices',
    'api-keys',
    'customers',
    'webhooks',
    'prices',
    'ledger',
    'wallets',
    'analytics',
    'bulk-jobs',
    'shared-views',
  ],
  money: [
    'deposits',
    'unlisted-transfers',
    'movements',
    'sends',
    'withdrawals',
    'sweep-contracts',
    'sweep-permissions',
    'sweeps',
    'payments',
    'referral',
  ],
  observers: ['watch', 'reconciliation', 'attention', 'search', 'realtime', 'workers'],
} as const

/** Every module of the server in its order, lowest first. */
export const moduleOrder: readonly string[] = Object.values(moduleLayers).flat()

/**
 * The rooms of each module that has any, from the top down: a room may enter those after it. Files at the root of the
 * module (`routes.ts`, `jobs.ts`) stand above all of its rooms. Ground rooms give their stores to their siblings too.
 */
export const moduleRooms: Readonly<Record<string, { order: readonly string[]; ground: readonly string[] }>> = {
  payments: {
    order: [
      'bulk',
      'reminders',
      'receipts',
      'lifecycle',
      'views',
      'crediting',
      'resolution',
      'claims',
      'refunds',
      'quotes',
      'search',
      'diagnosis',
      'funding',
      'readiness',
      'sightings',
      'payment',
    ],
    ground: ['funding', 'sightings', 'payment'],
  },
  watch: {
    order: ['follow', 'rescan', 'balances', 'quarantine', 'matching', 'verification', 'settlement', 'blocks'],
    ground: ['blocks'],
  },
  operators: { order: ['members', 'accounts', 'roles'], ground: ['accounts', 'roles'] },
  auth: {
    order: ['members', 'enrolment', 'sign-in', 'passwords', 'step-up', 'factors', 'attempts', 'sessions'],
    ground: ['factors', 'sessions'],
  },
  referral: {
    order: ['page', 'payouts', 'sales', 'counting', 'promoters', 'logs', 'campaigns', 'rewards', 'referrers', 'events'],
    ground: ['counting', 'logs', 'campaigns', 'rewards', 'referrers', 'events'],
  },
  withdrawals: {
    order: [
      'batches',
      'sending',
      'approving',
      'payouts',
      'lists',
      'record',
      'recipients',
      'policy',
      'codes',
      'addresses',
    ],
    ground: ['record', 'addresses'],
  },
  webhooks: { order: ['sending', 'deliveries', 'endpoints', 'signing', 'record'], ground: ['signing', 'record'] },
  vaults: { order: ['keys'], ground: ['keys'] },
  wallets: {
    order: ['balances', 'linking', 'cold', 'hot', 'ownership', 'own-addresses', 'sources', 'wallet'],
    ground: ['linking', 'ownership', 'own-addresses', 'sources', 'wallet'],
  },
  analytics: { order: ['growth', 'graphs', 'rollups'], ground: [] },
  blockchains: { order: ['assets', 'nodes', 'chains'], ground: ['chains'] },
  audit: { order: ['proof'], ground: ['proof'] },
  sends: { order: ['outside', 'following', 'signing', 'record'], ground: ['record'] },
  'sweep-contracts': { order: ['chain'], ground: ['chain'] },
  'sweep-permissions': { order: ['following', 'asking', 'record'], ground: ['record'] },
  sweeps: {
    order: ['automatic', 'starting', 'signing', 'offline', 'lists', 'following', 'settlement', 'planner', 'record'],
    ground: ['record'],
  },
}
