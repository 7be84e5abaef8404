/**
 * Every row of the specification that can be seen to hold, named by its own words, and what proves it. `npm run spec`
 * prints them; `npm run check` refuses a row without its test and a line of the specification without a row.
 */

/** A unit or screen test that proves a row, by its title. */
export type ByTest = { readonly row: string; readonly file: string; readonly title: string }

/** What is not built yet: the page that will hold it says so, and `routes.test.ts` sees that it does. */
export type NotBuilt = { readonly row: string; readonly page: string }

/** Bare words are proven in the browser: by a test of this folder whose title begins with "spec", section, row, colon. */
export type Row = string | ByTest | NotBuilt

const by = (row: string, file: string, title: string): ByTest => ({ row, file, title })
const notBuilt = (row: string, page: string): NotBuilt => ({ row, page })

const src = 'apps/dashboard/src'
const client = `${src}/api/client.test.ts`
const format = `${src}/lib/format.test.ts`
const time = `${src}/lib/time.test.ts`

/** Section → rows, whose words stand in it: `§` sections are those of product.md, the others those of screens.md. */
export const ROWS: Readonly<Record<string, readonly Row[]>> = {
  '§2': [
    'A collapsible left sidebar',
    'maximum expanded width 260 px',
    'auto-collapses on screens narrower than 640 px when the path changes',
    'Only one submenu is open at a time',
    'clicking outside closes an open submenu',
    'a Profile menu with Change Password and Logout',

    '/project/{projectId}/dashboard',
    '/project/{projectId}/payments/allPayments',
    '/project/{projectId}/payments/createPaymentLink',
    '/project/{projectId}/growth/analytics',
    '/project/{projectId}/growth/campaigns',
    '/manageWallet/deposit-wallet',
    '/manageWallet/hot-wallet',
    '/sweepIn?tabId=Funds',
    '/withdraw/referral-payouts',
    '/withdraw/payouts',
    '/developers',
    'Documentation opens an external docs site in a new tab',
    '/settings',
    'The active menu item is the one whose id is contained in the lower-cased current path',
    'using the current project id when the link needs one',

    '/login',
    '/signup',
    '/forgotPassword',
    '/createPassword',
    '/setPassword',
    '/ (a simple landing page in the public layout)',
    '/logout',
    '/privacy-policy',
    '/cookie-policy',
    '/referral/[token]',
    '/payments',
    '/pay',
    '/success',
    '/addresses',
    '/manageWallet/sweepContract/deploy',
    '/settings/account/{projectId}?tab=projectDetails',

    'a header with the logo',
    'a footer with the copyright year and Privacy Policy and Cookie Policy links',
    'Pages other than the landing page show a side illustration',

    'Shows the current project',
    'With more than one project, the list is',
    'It is disabled when the URL has no projectId',
    'Choosing a project sets projectId in the query',
    'the selected project id is set to "all"',

    'Add new project',
    'Name of your project',
    'disabled while the name is empty',
    'Pressing Enter in the field submits it',

    'Opened from the Profile menu',
    'It closes on success',

    'is redirected to /login',
  ],

  '§4': [
    'Project creation takes two steps',
    'the user goes to the project’s settings page on the project details tab',
    'If creation returns no id, the dialog does nothing further',
    'Project list has loading and error states',
    'when loading, the label is hidden and clicks are ignored',
    'When disabled, clicks are blocked',
    'Password checklist updates live as the password changes',
    by(
      'Sidebar: expanded or collapsed',
      `${src}/app/shell/Sidebar.test.tsx`,
      'remembers on this device that it is a strip',
    ),
    notBuilt('Campaign status, promoter (referrer) status, wallet status', '/project/all/growth/campaigns'),
    notBuilt('Address sweep lifecycle', '/sweepIn?tabId=Funds'),
    notBuilt('Withdrawal (payout): approve and reject actions', '/withdraw/payouts'),
    notBuilt('Member: create, assign role, update role, revoke access, activate, delete', '/settings/members'),
    by(
      'Change Password dialog closes on success',
      `${src}/features/auth/ChangePasswordDialog.test.tsx`,
      'sends both passwords, says what the server says and closes',
    ),
  ],

  '§5': [
    'Project Name is required',
    'The error clears when the user types',
    'Current password is required',
    'Password is required',
    'Password does not meet all requirements',
    'Password must be at least 8 characters long',
    'Please confirm your password',
    'Passwords do not match',
    'The request is sent only when the new-password and confirm errors are clear',
    'Field errors clear when the field is edited',
    'The current-password field shows the new-password error text',
    'Four criteria are shown: uppercase, lowercase, number, special character',
    'The checklist itself shows no minimum length',
    'Number inputs clamp negative values to 0',
    'ignore scroll-wheel changes',
    '{Label} Copied!',
  ],

  '§6': [
    by(
      'a request without a key is rejected locally before sending',
      client,
      'rejects a call without a key before sending',
    ),
  ],

  '§7': [
    by(
      'the configured one, otherwise the page’s host on port 8443 for https or 8080 otherwise',
      client,
      'is the configured address without its last slash',
    ),
    by(
      'Authenticated calls send the key in an API-Key header',
      client,
      'carries the key, the idempotency key and the body as JSON',
    ),
    by(
      'sent as multipart form, with array values sent as name[]',
      client,
      'sends a body with a file as a multipart form',
    ),
  ],

  '§8': [
    'Error code UNAUTHORIZED in any authenticated response',
    'Error code RESET_PASSWORD_REQUIRED',
    'HTTP 400 on auth calls',
    'Login failure',
    'Forgot or reset password failure',
    'Change password failure',
    'Missing API key',
    'Project list, details, create or update call fails',
    'Saving throws',
    'Project list load failure',
    by(
      'Create returns no id',
      `${src}/features/projects/AddProjectDialog.test.tsx`,
      'does nothing further when the answer names no id',
    ),
    'Clipboard copy fails',
    'Toast notifications appear top-right and close after 5 seconds',
  ],

  '§9': [
    'Default brand colour: #caff54',
    'a bundled placeholder image, sent as logo.png',
    by('Minimum password length: 8', 'packages/contract/src/operators/schemas.test.ts', 'says one thing about %j: %s'),
    by(
      'Allowed special characters: . , ? @ * ! $ % # ^ &',
      `${src}/ui/fields/PasswordChecklist.test.tsx`,
      'takes %s as a special character',
    ),
    by(
      'Toast auto-close: 5000 ms, top-right',
      `${src}/ui/feedback/Toaster.test.tsx`,
      'closes a toast after 5000 ms, not before',
    ),
    by(
      'Backend default ports: 8443 (https), 8080 (http)',
      client,
      'is the page’s host on the specification’s port when nothing is configured',
    ),
    'Sidebar maximum width 260 px',
    'small-screen threshold 640 px',
    by('Time-remaining text', time, 'timeRemaining'),
    by('Currency formatting: US dollars, en-US', format, 'usd'),
    by('Address shortening: 4 characters at each end', format, 'shortAddress'),
    by('Timestamps: local ISO without zone', time, 'localIso'),
    by('A UTC ISO form without milliseconds', time, 'utcIso'),
    notBuilt('Sweep pages support only ETH and TRX', '/manageWallet/sweepContract/deploy'),
  ],

  '2.9': ['403 FORBIDDEN', '404', '500, render fault', 'offline'],
}
