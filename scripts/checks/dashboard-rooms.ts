/**
 * The layers of the dashboard from the highest to the lowest: a file imports its own layer and those below it. `api` and
 * `ui` stand side by side and do not know each other.
 */
export const dashboardLayers = ['app', 'routes', 'features', 'labels', 'ui', 'api', 'lib'] as const

/**
 * Folders of the dashboard that are cut in rooms, each room after every room that imports it. Files at the root of
 * such a folder are its entry points, which no room imports.
 */
export const dashboardRooms = {
  app: ['shell', 'palette', 'live', 'session', 'errors', 'layouts', 'navigation'],
  'app/shell': ['sidebar', 'top-bar', 'banners'],
  'features/analytics': ['groups', 'cards', 'filters', 'reading'],
  'features/auth': ['second-step', 'public-form', 'attempts', 'password-rules'],
  'features/security': ['cards', 'enrolment'],
  'features/blockchains': ['network', 'assets', 'nodes'],
  'features/developers': ['api-keys', 'webhooks', 'endpoint-settings', 'event-log', 'deliveries', 'choices', 'samples'],
  'features/growth': ['wizard', 'promoter', 'list', 'campaign', 'events', 'figures', 'words'],
  'features/payments': [
    'list',
    'detail',
    'selection',
    'tabs',
    'unmatched',
    'bulk-create',
    'bulk-jobs',
    'export',
    'create',
    'links',
    'actions',
    'columns',
    'views',
    'payment',
  ],
  'features/payouts': ['approvals', 'batch', 'create', 'detail', 'decisions', 'list'],
  'features/project-settings': ['overview', 'details', 'branding', 'policy', 'saved-form'],
  'features/sweeps': ['funds', 'approving', 'thresholds', 'history'],
  'features/system': ['attention', 'workers', 'addresses', 'alarms', 'upkeep', 'health'],
  'features/wallets': ['deploying', 'cold', 'cards', 'adding', 'linking', 'signing', 'account'],
  lib: ['forms', 'time', 'text', 'navigation', 'loading', 'display', 'device'],
  ui: [
    'charts',
    'table',
    'list',
    'filters',
    'forms',
    'overlays',
    'places',
    'facts',
    'time',
    'fields',
    'actions',
    'feedback',
  ],
} as const

/** Tables at the root of such a folder that its rooms read as well; they import no room but for types. */
export const tablesOfRooms = ['app/page.ts', 'app/pages.ts', 'app/growth-pages.ts', 'lib/paths.ts'] as const

/** The name of the rule that keeps one room of the dashboard below those written before it. */
export function roomRule(folder: string, room: string): string {
  return `rooms-of-${folder.replaceAll('/', '-')}-${room}`
}
