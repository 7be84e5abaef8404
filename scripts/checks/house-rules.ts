/**
 * The sentences of the house, one per row of "who may import whom" in docs/decisions/0002-import-rules.md.
 * A rule in the import checker, the linter or an own check carries the sentence of its row as its message.
 */
export const houseRules = {
  upwards: 'Nothing imports back up; no circles, type imports included',
  primitives: '`primitives` imports nothing, not even npm',
  contract: '`contract` may use primitives and zod, nothing else',
  chains: 'Chain adapters speak of transfers, never of payments; one family never imports another',
  apps: 'Server, dashboard and checkout share packages, not files; the one door between apps is `@kassa/checkout/render`, entered by `app.ts` only',
  doors: 'Another module is entered by its `service.ts`; its tables, store and rules are private',
  sql: 'Only `store.ts` speaks SQL; a store never calls a service, route or job',
  rules: '`rules.ts` computes: no database, chain, clock or HTTP',
  floors:
    'Dashboard layers: app > routes > features > labels > ui, api > lib; a route composes features, which never import each other; a room imports only the rooms written after it',
  ui: '`ui/` draws: it knows no api and no contract',
  declared: 'A package imports only what its package.json declares; only `config/` reads the environment',
  tidy: 'No `any`, no non-null `!`, no barrel files; file ≤ 400 lines, function ≤ 60; no dead exports, files or dependencies',
} as const

/**
 * The modules of the server from the lowest to the highest: a module may enter those before it, never those after it.
 * A new module takes its place here before its first import (docs/guides/add-a-module.md).
 */
export const moduleStoreys = {
  facts: ['vaults', 'settings', 'alarms', 'mail', 'blockchains', 'operators', 'projects'],
  tools: ['auth', 'api-keys', 'customers', 'webhooks', 'wallets', 'prices', 'ledger'],
  'money moves': ['deposits', 'payments', 'sweeps', 'withdrawals'],
  'watch and tell': ['watch', 'referrals', 'analytics', 'audit', 'realtime', 'workers'],
} as const

/** Every module of the server in its order, lowest first. */
export const modulesInOrder: readonly string[] = Object.values(moduleStoreys).flat()
