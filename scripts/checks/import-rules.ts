import type { IRegularForbiddenRuleType } from 'dependency-cruiser'
import { dashboardLayers, dashboardRooms, roomRule, tablesOfRooms } from './dashboard-rooms.ts'
import { architectureRules, moduleOrder, moduleRooms } from './architecture-rules.ts'

/** Tests and what only tests use may import private files; they still obey the layers between packages. */
const tests = ['\\.test\\.tsx?$', '/testing/']
const server = '^apps/server/src'
const dashboard = '^apps/dashboard/src'
const stores = [`${server}/.*[/-]store\\.ts$`]
/** What other modules may import of a module: its own service, or that of one of its rooms. */
const moduleEntry = [`${server}/modules/[^/]+/service\\.ts$`, `${server}/modules/[^/]+/[^/]+/service\\.ts$`]

type Rule = { name: string; comment: string; severity: 'error' } & Pick<IRegularForbiddenRuleType, 'from' | 'to'>

function forbid(name: string, comment: string, from: Rule['from'], to: Rule['to']): Rule {
  return { name, comment, severity: 'error', from, to }
}

const upwards = [
  forbid('no-circles', architectureRules.upwards, {}, { circular: true }),
  forbid('packages-below-apps', architectureRules.upwards, { path: '^packages/' }, { path: '^apps/' }),
  forbid(
    'product-below-tools',
    architectureRules.upwards,
    { path: '^(packages|apps)/[^/]+/src/' },
    { path: '^(scripts|e2e|bench)/' },
  ),
  forbid(
    'testing-is-for-tests',
    architectureRules.upwards,
    { path: '^(packages|apps)/[^/]+/src/', pathNot: [...tests, `${server}/sandbox/`] },
    { path: tests, pathNot: '^node_modules/' },
  ),
  forbid(
    'server-layer-below-modules',
    architectureRules.upwards,
    { path: `${server}/`, pathNot: [...tests, `${server}/(modules|sandbox|commands)/`, `${server}/app\\.ts$`] },
    { path: `${server}/modules/` },
  ),
  forbid(
    'nothing-above-app',
    architectureRules.upwards,
    { path: `${server}/`, pathNot: [...tests, `${server}/(main|app)\\.ts$`, `${server}/commands/`] },
    { path: `${server}/(main|app)\\.ts$` },
  ),
  forbid(
    'modules-below-sandbox',
    architectureRules.upwards,
    {
      path: `${server}/`,
      pathNot: [...tests, `${server}/sandbox/`, `${server}/(main|app)\\.ts$`, `${server}/commands/`],
    },
    { path: `${server}/sandbox/` },
  ),
  forbid(
    'module-has-a-layer',
    architectureRules.upwards,
    { path: `${server}/modules/(?!(${moduleOrder.join('|')})/)` },
    { path: '.' },
  ),
  ...moduleOrder
    .slice(0, -1)
    .map((name, index) =>
      forbid(
        `order-of-${name}`,
        architectureRules.upwards,
        { path: `${server}/modules/${name}/`, pathNot: tests },
        { path: `${server}/modules/(${moduleOrder.slice(index + 1).join('|')})/` },
      ),
    ),
]

const packages = [
  forbid(
    'primitives-stand-alone',
    architectureRules.primitives,
    { path: '^packages/primitives/src/', pathNot: tests },
    { path: '.', pathNot: '^packages/primitives/src/' },
  ),
  forbid(
    'contract-uses-primitives-and-zod',
    architectureRules.contract,
    { path: '^packages/contract/src/', pathNot: tests },
    { path: '.', pathNot: ['^packages/(contract|primitives)/src/', '^node_modules/zod/'] },
  ),
  forbid(
    'keys-only-compute',
    architectureRules.keys,
    { path: '^packages/keys/src/', pathNot: tests },
    { path: '.', pathNot: ['^packages/keys/src/', '^node_modules/@(noble|scure)/'] },
  ),
  forbid(
    'chains-know-no-payments',
    architectureRules.chains,
    { path: '^packages/chains/' },
    { path: '^packages/contract/' },
  ),
  forbid(
    'one-family-alone',
    architectureRules.chains,
    { path: '^packages/chains/src/(evm|tron|bitcoin|solana)/' },
    { path: '^packages/chains/src/(evm|tron|bitcoin|solana)/', pathNot: '^packages/chains/src/$1/' },
  ),
  forbid(
    'shared-chain-code-below-families',
    architectureRules.chains,
    {
      path: '^packages/chains/src/',
      pathNot: [...tests, '^packages/chains/src/((evm|tron|bitcoin|solana)/|adapters\\.ts$)'],
    },
    { path: '^packages/chains/src/(evm|tron|bitcoin|solana)/' },
  ),
]

const apps = [
  forbid(
    'apps-share-packages-not-files',
    architectureRules.apps,
    { path: '^apps/([^/]+)/', pathNot: `${server}/app\\.ts$` },
    { path: '^apps/', pathNot: '^apps/$1/' },
  ),
  forbid(
    'one-entry-between-apps',
    architectureRules.apps,
    { path: `${server}/app\\.ts$` },
    { path: '^apps/(?!server/)', pathNot: '^apps/checkout/src/render/' },
  ),
]

const serverModules = [
  forbid(
    'module-entry',
    architectureRules.entries,
    { path: `${server}/modules/([^/]+)/`, pathNot: tests },
    { path: `${server}/modules/`, pathNot: [`${server}/modules/$1/`, ...moduleEntry] },
  ),
  forbid(
    'app-entry',
    architectureRules.entries,
    { path: `${server}/app\\.ts$` },
    { path: `${server}/modules/`, pathNot: [`${server}/modules/[^/]+/(routes|jobs|module)\\.ts$`, ...moduleEntry] },
  ),
  forbid(
    'sandbox-entry',
    architectureRules.entries,
    { path: `${server}/(sandbox|commands)/`, pathNot: tests },
    { path: `${server}/modules/`, pathNot: moduleEntry },
  ),
  forbid(
    'payer-pages-entry',
    architectureRules.payerPages,
    { path: `${server}/`, pathNot: [...tests, `${server}/pages/payer/`] },
    { path: `${server}/pages/payer/`, pathNot: `${server}/pages/payer/mount\\.ts$` },
  ),
  forbid(
    'ledger-knows-no-module',
    architectureRules.ledger,
    { path: `${server}/modules/ledger/`, pathNot: tests },
    { path: `${server}/modules/(?!ledger/)` },
  ),
  forbid(
    'sql-in-stores',
    architectureRules.sql,
    { path: `${server}/modules/`, pathNot: [...tests, ...stores, '/tables\\.ts$'] },
    { path: '^node_modules/(kysely|pg)/' },
  ),
  forbid(
    'store-calls-nobody',
    architectureRules.sql,
    { path: stores, pathNot: `${server}/jobs/` },
    { path: [`${server}/.*/(service|routes|jobs)\\.ts$`, `${server}/jobs/`] },
  ),
  forbid(
    'rules-compute',
    architectureRules.rules,
    { path: `${server}/modules/([^/]+)/.*rules\\.ts$` },
    {
      path: '.',
      pathNot: [
        '^packages/(primitives|contract)/src/',
        // Text that names an address or a transaction is read where the families are known.
        '^packages/chains/src/identifiers\\.ts$',
        `${server}/modules/$1/.*rules\\.ts$`,
      ],
      // A type computes nothing: rules may know the shape of a row or of an address.
      dependencyTypesNot: ['type-only'],
    },
  ),
]

/** A room enters the rooms after it, never the files at the root of its module; their stores only where they are ground. */
const rooms = Object.entries(moduleRooms).flatMap(([module, { order, ground }]) => {
  const home = `${server}/modules/${module}`
  return [
    ...order.map((room, index) =>
      forbid(
        `room-${module}-${room}`,
        architectureRules.rooms,
        { path: `${home}/${room}/`, pathNot: tests },
        { path: [`${home}/[^/]+$`, ...order.slice(0, index).map((above) => `${home}/${above}/`)], pathNot: tests },
      ),
    ),
    // Where every room is ground, its stores are open to all of the module.
    ...(order.every((room) => ground.includes(room))
      ? []
      : [
          forbid(
            `room-stores-of-${module}`,
            architectureRules.rooms,
            { path: `${home}/([^/]+)/`, pathNot: tests },
            { path: `${home}/[^/]+/[^/]*store\\.ts$`, pathNot: [`${home}/$1/`, `${home}/(${ground.join('|')})/`] },
          ),
          forbid(
            `root-of-${module}`,
            architectureRules.rooms,
            { path: `${home}/[^/]+$`, pathNot: tests },
            { path: `${home}/[^/]+/[^/]*store\\.ts$`, pathNot: [`${home}/(${ground.join('|')})/`] },
          ),
        ]),
    forbid(
      `rooms-of-${module}`,
      architectureRules.rooms,
      { path: `${home}/(?!(${order.join('|')})/)[^/]+/` },
      { path: '.' },
    ),
  ]
})

const dashboardFloors = [
  ...dashboardLayers
    .slice(1)
    .map((layer, index) =>
      forbid(
        `dashboard-layer-of-${layer}`,
        architectureRules.floors,
        { path: `${dashboard}/${layer}/` },
        { path: `${dashboard}/(main|${dashboardLayers.slice(0, index + 1).join('|')})[/.]` },
      ),
    ),
  forbid(
    'one-feature-alone',
    architectureRules.floors,
    { path: `${dashboard}/features/([^/]+)/` },
    { path: `${dashboard}/features/`, pathNot: `${dashboard}/features/$1/` },
  ),
  ...Object.entries(dashboardRooms).flatMap(([folder, rooms]) =>
    rooms.map((room, index) =>
      forbid(
        roomRule(folder, room),
        architectureRules.floors,
        { path: `${dashboard}/${folder}/${room}/`, pathNot: tests },
        {
          path: `${dashboard}/${folder}/(${[...rooms.slice(0, index).map((above) => `${above}/`), '[^/]+$'].join('|')})`,
          pathNot: tablesOfRooms.map((table) => `${dashboard}/${table}$`),
        },
      ),
    ),
  ),
  forbid(
    'ui-draws',
    architectureRules.ui,
    { path: `${dashboard}/ui/`, pathNot: tests },
    { path: [`${dashboard}/api/`, '^packages/contract/'] },
  ),
]

const declared = [
  forbid(
    'declared-in-package-json',
    architectureRules.declared,
    {},
    { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  ),
  forbid('import-resolves', architectureRules.declared, {}, { couldNotResolve: true }),
]

/**
 * Who may import whom, as dependency-cruiser reads it. Every rule's comment is the sentence of its row in
 * architecture-rules.ts, and every rule has a planted violation in import-rules.test.ts.
 */
export const importRules = {
  forbidden: [...upwards, ...packages, ...apps, ...serverModules, ...rooms, ...dashboardFloors, ...declared],
  options: {
    // The other parsers want a TypeScript compiler older than 7: without one they read nothing or guess, and rules pass.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(build|generated|fixtures)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css', '.d.ts'],
      mainFields: ['types', 'module', 'main'],
    },
  },
}
