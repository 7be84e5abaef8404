import type { IRegularForbiddenRuleType } from 'dependency-cruiser'
import { dashboardLayers, dashboardRooms, roomRule } from './dashboard-rooms.ts'
import { houseRules, modulesInOrder } from './house-rules.ts'

/** Tests and what only tests use may look behind a door; they still obey the floors between packages. */
const tests = ['\\.test\\.tsx?$', '/testing/']
const server = '^apps/server/src'
const dashboard = '^apps/dashboard/src'
const stores = [`${server}/.*[/-]store\\.ts$`]

type Rule = { name: string; comment: string; severity: 'error' } & Pick<IRegularForbiddenRuleType, 'from' | 'to'>

function forbid(name: string, comment: string, from: Rule['from'], to: Rule['to']): Rule {
  return { name, comment, severity: 'error', from, to }
}

const upwards = [
  forbid('no-circles', houseRules.upwards, {}, { circular: true }),
  forbid('packages-below-apps', houseRules.upwards, { path: '^packages/' }, { path: '^apps/' }),
  forbid(
    'product-below-tools',
    houseRules.upwards,
    { path: '^(packages|apps)/[^/]+/src/' },
    { path: '^(scripts|e2e|bench)/' },
  ),
  forbid(
    'testing-is-for-tests',
    houseRules.upwards,
    { path: '^(packages|apps)/[^/]+/src/', pathNot: [...tests, `${server}/sandbox/`] },
    { path: tests, pathNot: '^node_modules/' },
  ),
  forbid(
    'server-floor-below-modules',
    houseRules.upwards,
    { path: `${server}/`, pathNot: [...tests, `${server}/(modules|sandbox|commands)/`, `${server}/app\\.ts$`] },
    { path: `${server}/modules/` },
  ),
  forbid(
    'nothing-above-app',
    houseRules.upwards,
    { path: `${server}/`, pathNot: [...tests, `${server}/(main|app)\\.ts$`, `${server}/commands/`] },
    { path: `${server}/(main|app)\\.ts$` },
  ),
  forbid(
    'modules-below-sandbox',
    houseRules.upwards,
    {
      path: `${server}/`,
      pathNot: [...tests, `${server}/sandbox/`, `${server}/(main|app)\\.ts$`, `${server}/commands/`],
    },
    { path: `${server}/sandbox/` },
  ),
  forbid(
    'module-has-a-storey',
    houseRules.upwards,
    { path: `${server}/modules/(?!(${modulesInOrder.join('|')})/)` },
    { path: '.' },
  ),
  ...modulesInOrder
    .slice(0, -1)
    .map((name, index) =>
      forbid(
        `storey-of-${name}`,
        houseRules.upwards,
        { path: `${server}/modules/${name}/`, pathNot: tests },
        { path: `${server}/modules/(${modulesInOrder.slice(index + 1).join('|')})/` },
      ),
    ),
]

const packages = [
  forbid(
    'primitives-stand-alone',
    houseRules.primitives,
    { path: '^packages/primitives/src/', pathNot: tests },
    { path: '.', pathNot: '^packages/primitives/src/' },
  ),
  forbid(
    'contract-uses-primitives-and-zod',
    houseRules.contract,
    { path: '^packages/contract/src/', pathNot: tests },
    { path: '.', pathNot: ['^packages/(contract|primitives)/src/', '^node_modules/zod/'] },
  ),
  forbid('chains-know-no-payments', houseRules.chains, { path: '^packages/chains/' }, { path: '^packages/contract/' }),
  forbid(
    'one-family-alone',
    houseRules.chains,
    { path: '^packages/chains/src/(evm|tron|bitcoin|solana)/' },
    { path: '^packages/chains/src/(evm|tron|bitcoin|solana)/', pathNot: '^packages/chains/src/$1/' },
  ),
  forbid(
    'shared-chain-code-below-families',
    houseRules.chains,
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
    houseRules.apps,
    { path: '^apps/([^/]+)/', pathNot: `${server}/app\\.ts$` },
    { path: '^apps/', pathNot: '^apps/$1/' },
  ),
  forbid(
    'one-door-between-apps',
    houseRules.apps,
    { path: `${server}/app\\.ts$` },
    { path: '^apps/(?!server/)', pathNot: '^apps/checkout/src/render/' },
  ),
]

const serverModules = [
  forbid(
    'module-door',
    houseRules.doors,
    { path: `${server}/modules/([^/]+)/`, pathNot: tests },
    { path: `${server}/modules/`, pathNot: [`${server}/modules/$1/`, `${server}/modules/[^/]+/service\\.ts$`] },
  ),
  forbid(
    'app-door',
    houseRules.doors,
    { path: `${server}/app\\.ts$` },
    { path: `${server}/modules/`, pathNot: `${server}/modules/[^/]+/(routes|jobs|service)\\.ts$` },
  ),
  forbid(
    'sandbox-door',
    houseRules.doors,
    { path: `${server}/(sandbox|commands)/`, pathNot: tests },
    { path: `${server}/modules/`, pathNot: `${server}/modules/[^/]+/service\\.ts$` },
  ),
  forbid(
    'sql-in-stores',
    houseRules.sql,
    { path: `${server}/modules/`, pathNot: [...tests, ...stores, '/tables\\.ts$'] },
    { path: '^node_modules/(kysely|pg)/' },
  ),
  forbid(
    'store-calls-nobody',
    houseRules.sql,
    { path: stores, pathNot: `${server}/jobs/` },
    { path: [`${server}/.*/(service|routes|jobs)\\.ts$`, `${server}/jobs/`] },
  ),
  forbid(
    'rules-compute',
    houseRules.rules,
    { path: `${server}/modules/([^/]+)/.*rules\\.ts$` },
    {
      path: '.',
      pathNot: ['^packages/(primitives|contract)/src/', `${server}/modules/$1/.*rules\\.ts$`],
      // A type computes nothing: rules may know the shape of a row or of an address.
      dependencyTypesNot: ['type-only'],
    },
  ),
]

const dashboardFloors = [
  ...dashboardLayers
    .slice(1)
    .map((layer, index) =>
      forbid(
        `dashboard-layer-of-${layer}`,
        houseRules.floors,
        { path: `${dashboard}/${layer}/` },
        { path: `${dashboard}/(main|${dashboardLayers.slice(0, index + 1).join('|')})[/.]` },
      ),
    ),
  forbid(
    'one-feature-alone',
    houseRules.floors,
    { path: `${dashboard}/features/([^/]+)/` },
    { path: `${dashboard}/features/`, pathNot: `${dashboard}/features/$1/` },
  ),
  ...Object.entries(dashboardRooms).flatMap(([folder, rooms]) =>
    rooms.map((room, index) =>
      forbid(
        roomRule(folder, room),
        houseRules.floors,
        { path: `${dashboard}/${folder}/${room}/`, pathNot: tests },
        {
          path: `${dashboard}/${folder}/(${[...rooms.slice(0, index).map((above) => `${above}/`), '[^/]+$'].join('|')})`,
        },
      ),
    ),
  ),
  forbid(
    'ui-draws',
    houseRules.ui,
    { path: `${dashboard}/ui/`, pathNot: tests },
    { path: [`${dashboard}/api/`, '^packages/contract/'] },
  ),
]

const declared = [
  forbid('declared-in-package-json', houseRules.declared, {}, { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] }),
  forbid('import-resolves', houseRules.declared, {}, { couldNotResolve: true }),
]

/**
 * Who may import whom, as dependency-cruiser reads it. Every rule's comment is the sentence of its row in
 * house-rules.ts, and every rule has a planted violation in import-rules.test.ts.
 */
export const importRules = {
  forbidden: [...upwards, ...packages, ...apps, ...serverModules, ...dashboardFloors, ...declared],
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
