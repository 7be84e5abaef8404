/**
 * Every row of the specification that can be seen to hold, named by its own words, and what proves it. `npm run spec`
 * prints them; `npm run check` refuses a row without its test and a line of the specification without a row.
 */

/** A unit or screen test that proves a row, by its title. */
export type ByTest = { readonly row: string; readonly file: string; readonly title: string }

/** Bare words are proven in the browser: by a test of this folder whose title begins with "spec", section, row, colon. */
export type Row = string | ByTest

const by = (row: string, file: string, title: string): ByTest => ({ row, file, title })

const src = 'apps/dashboard/src'
const client = `${src}/api/client.test.ts`
const format = `${src}/lib/text/format.test.ts`
const time = `${src}/lib/time/time.test.ts`

/** Section → rows, whose words stand in it: `§` sections are those of product.md, the others those of screens.md. */
export const ROWS: Readonly<Record<string, readonly Row[]>> = {
  '§2': [
    'on the left; folds to a strip of icons',
    'Sidebar width, unfolded at most 260 px',
    'a change of path folds the sidebar',
    'one is open at most',
    'a click elsewhere closes it',
    'project selector, navigation, Profile menu',

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
    'an address outside, in a new tab',
    '/settings',
    'the item whose id is part of the path in lower case',
    'where {projectId} is the current project',

    '/login',
    '/signup',
    '/forgotPassword',
    '/createPassword',
    '/setPassword',
    '/ landing page',
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

    'Header the logo',
    'year of the copyright, links',
    'an illustration, except on /',

    'the current project is shown',
    'Two projects or more',
    'the selector is disabled',
    'projectId goes into the query',
    'the selected id is all',

    'Add new project',
    'Name of your project',
    'disabled without a name',
    'Enter in the field, sends the form',

    'opens from the Profile menu',
    'Change password, done',

    'leads to /login',
  ],

  '§4': [
    'Creation of a project, two steps',
    'its settings open at projectDetails',
    'no id in the answer',
    'Project list loading, failed',
    'hides its label and ignores clicks',
    'Button that is disabled',
    'follows each change of the password',
    by(
      'Sidebar unfolded or folded',
      `${src}/app/shell/sidebar/Sidebar.test.tsx`,
      'remembers on this device that it is a strip',
    ),
    by(
      'Address in a sweep',
      `${src}/features/sweeps/Sweeps.test.tsx`,
      'executes approved addresses from the operator’s own wallet, and records its hash',
    ),
    by(
      'Campaign, referrer, wallet',
      `${src}/features/growth/growth.test.tsx`,
      'pauses a campaign, and deactivates a promoter, each after saying what follows',
    ),
    by(
      'Withdrawal approve, reject',
      'apps/server/src/modules/withdrawals/payouts/payouts.db.test.ts',
      'decides with the last one that is needed, and holds the money',
    ),
    by(
      'Member create, assign role, update role, revoke access, activate, delete',
      'e2e/members.test.ts',
      'stays in the list without access until it is given back',
    ),
    by(
      'success closes the dialog',
      `${src}/features/auth/ChangePasswordDialog.test.tsx`,
      'sends both passwords, says what the server says and closes',
    ),
  ],

  '§5': [
    'Project Name is required',
    'typing clears the error',
    'Current password is required',
    'Password is required',
    'Password does not meet all requirements',
    'Password must be at least 8 characters long',
    'Please confirm your password',
    'Passwords do not match',
    'is sent when new password and confirmation are without error',
    'an edit clears the error of its field',
    'shows the error of the new one',
    'four items: uppercase, lowercase, number, special character',
    'no item for the length',
    'a negative value becomes 0',
    'the wheel changes nothing',
    '{Label} Copied!',
  ],

  '§6': [
    by(
      'its name comes from the stored user',
      'e2e/spec/errors.test.ts',
      'spec 2.9 403 FORBIDDEN: which permission is needed, and a sentence to ask for it',
    ),
    by('refused in the browser, before it is sent', client, 'rejects a call without a key before sending'),
    by(
      'can be listed, assigned, updated and revoked',
      'apps/server/src/modules/operators/members/roles.db.test.ts',
      'adds a role in another project, replaces the one in the same, and all by one for the install',
    ),
  ],

  '§7': [
    by(
      'as configured, else the host of the page on 8443 (https) or 8080',
      client,
      'is the configured address without its last slash',
    ),
    by('in the header API-Key', client, 'carries the key, the idempotency key and the body as JSON'),
    by('multipart form; an array is sent as name[]', client, 'sends a body with a file as a multipart form'),
  ],

  '§8': [
    'UNAUTHORIZED, on any call with a key',
    'RESET_PASSWORD_REQUIRED',
    'A call of an account answers 400',
    'Sign-in fails',
    'Forgot or reset of a password fails',
    'Change of a password fails',
    'No API key',
    'Project list, details, create or update fails',
    'A save throws',
    'The project list does not load',
    by(
      'Creation answers no id',
      `${src}/features/projects/AddProjectDialog.test.tsx`,
      'does nothing further when the answer names no id',
    ),
    'The clipboard refuses',
    'stand at the top right for 5 seconds',
  ],

  '§9': [
    'Brand colour at the start',
    'Logo at the start',
    by(
      'Shortest password 8 characters',
      'packages/contract/src/operators/schemas.test.ts',
      'says one thing about %j: %s',
    ),
    by(
      'Special characters . , ? @ * ! $ % # ^ &',
      `${src}/ui/fields/PasswordChecklist.test.tsx`,
      'takes %s as a special character',
    ),
    by(
      'Life of a toast 5000 ms, top right',
      `${src}/ui/feedback/Toaster.test.tsx`,
      'closes a toast after 5000 ms, not before',
    ),
    by(
      'Ports of the backend 8443 (https), 8080 (http)',
      client,
      'is the page’s host on the specification’s port when nothing is configured',
    ),
    'Widest sidebar 260 px',
    'Small screen below 640 px',
    by('Time that remains', time, 'timeRemaining'),
    by('Money US dollars, en-US', format, 'usd'),
    by('Short address 4 characters at each end', format, 'shortAddress'),
    by('Local time ISO without zone', time, 'localIso'),
    by('UTC time ISO without milliseconds', time, 'utcIso'),
    by(
      'Sweep pages ETH and TRX only',
      `${src}/features/wallets/deploying/DeployContract.test.tsx`,
      'offers ETH and TRX for a new contract, whatever other networks are in use',
    ),
  ],

  '2.9': ['403 FORBIDDEN', '404', '500, render fault', 'offline'],
}
