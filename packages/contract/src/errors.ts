/** The one catalogue of errors (api.md 9): code, HTTP status, what a person reads. A code enters with what raises it. */
export type ErrorEntry = { readonly status: number; readonly message: string }

/** Common to every route. */
const COMMON = {
  UNAUTHORIZED: { status: 401, message: 'Unauthorised: the key is missing, unknown, expired or revoked.' },
  RESET_PASSWORD_REQUIRED: { status: 401, message: 'Choose a new password before you continue.' },
  FORBIDDEN: { status: 403, message: 'You need the permission {permission} in {project}.' },
  STEP_UP_REQUIRED: { status: 403, message: 'Confirm that it is you before you continue.' },
  SECOND_FACTOR_SETUP_REQUIRED: {
    status: 403,
    message: 'Set up a second factor first: this install asks for one here.',
  },
  INVALID_JSON_DATA: { status: 400, message: 'Bad Request: Invalid input.' },
  VALIDATION_FAILED: { status: 400, message: 'The request is not valid.' },
  DUPLICATE_FIELD: { status: 400, message: 'The field {field} was sent twice.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Send JSON or a multipart form.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request is larger than {limit}.' },
  ROUTE_NOT_FOUND: { status: 404, message: 'There is nothing at this address.' },
  METHOD_NOT_ALLOWED: { status: 405, message: '{method} is not possible here.' },
  HOST_NOT_ALLOWED: { status: 421, message: 'This server does not answer under that name.' },
  RATE_LIMITED: { status: 429, message: 'Too many requests. Try again in {seconds} seconds.' },
  IDEMPOTENCY_KEY_INVALID: { status: 400, message: 'The Idempotency-Key must be 1 to 255 visible characters.' },
  IDEMPOTENCY_KEY_REUSED: { status: 409, message: 'This Idempotency-Key was used for a different request.' },
  IDEMPOTENCY_IN_PROGRESS: { status: 409, message: 'The first request with this Idempotency-Key is still running.' },
  REQUEST_IN_PROGRESS: { status: 503, message: 'The same request is still running. Try again shortly.' },
  PAGE_TOO_DEEP: { status: 400, message: 'Use the cursor to read beyond {n} rows.' },
  CURSOR_INVALID: { status: 400, message: 'This cursor does not belong to this list.' },
  SORT_FIELD_UNKNOWN: { status: 400, message: 'This list cannot be sorted by {field}.' },
  PROJECT_NOT_FOUND: { status: 404, message: 'No such project.' },
  PROJECT_REQUIRED: { status: 400, message: 'Choose one project for this.' },
  PROJECT_ARCHIVED: { status: 409, message: 'This project is archived.' },
  INTERNAL_ERROR: { status: 500, message: 'Something went wrong on our side. Reference {requestId}.' },
  SERVICE_UNAVAILABLE: { status: 503, message: 'The server is starting or stopping. Try again shortly.' },
} as const satisfies Record<string, ErrorEntry>

/** Already there. */
const EXISTING = {
  MEMBER_EXISTS: { status: 409, message: 'Someone with this e-mail is already a member.' },
  CUSTOMER_EXISTS: { status: 409, message: 'This customer id is already in use.' },
  USERNAME_TAKEN: { status: 409, message: 'This username is taken.' },
  ROLE_EXISTS: { status: 409, message: 'A role like this already exists.' },
  NODE_EXISTS: { status: 409, message: 'A node like this already exists.' },
  XPUB_EXISTS: { status: 409, message: 'This extended public key is already registered.' },
  INVOICE_EXISTS: { status: 409, message: 'This invoice id already exists.' },
  RECIPIENT_EXISTS: { status: 409, message: 'This recipient already exists.' },
  VAULT_EXISTS: { status: 409, message: 'A vault like this already exists.' },
  WEBHOOK_EXISTS: { status: 409, message: 'This URL is already registered.' },
  TOTP_ALREADY_ENROLLED: { status: 409, message: 'An authenticator app is already set up.' },
} as const satisfies Record<string, ErrorEntry>

/** Identity. */
const IDENTITY = {
  INVALID_CREDENTIALS: { status: 401, message: 'E-mail or password is incorrect.' },
  SIGN_IN_THROTTLED: { status: 429, message: 'Too many attempts. Try again in {seconds} seconds.' },
  SIGN_UP_CLOSED: { status: 409, message: 'The first account already exists. Ask an administrator for an invitation.' },
  SETUP_CODE_REQUIRED: { status: 403, message: 'Enter the set-up code printed in the server log.' },
  SECOND_FACTOR_REQUIRED: { status: 401, message: 'Enter the code from your second factor.' },
  SECOND_FACTOR_INVALID: { status: 400, message: 'This code is not valid.' },
  SECOND_FACTOR_POLICY: { status: 409, message: 'This install needs you to keep a second factor.' },
  PASSKEY_INVALID: { status: 400, message: 'This passkey could not be verified.' },
  PASSKEYS_NOT_POSSIBLE: { status: 409, message: 'Passkeys need a site URL with a name.' },
  CHALLENGE_EXPIRED: { status: 400, message: 'This took too long. Start again.' },
  STEP_UP_ACTION_UNKNOWN: { status: 400, message: 'Unknown action.' },
  STEP_UP_MISMATCH: { status: 409, message: 'What you confirmed is not what would happen now.' },
  STEP_UP_METHOD_NOT_ALLOWED: { status: 403, message: 'Use your second factor for this.' },
  CURRENT_PASSWORD_WRONG: { status: 400, message: 'Current password is incorrect.' },
  PASSWORD_UNCHANGED: { status: 400, message: 'The new password must differ from the current one.' },
  RESET_TOKEN_INVALID: { status: 400, message: 'This link has expired or was already used. Request a new one.' },
  SMTP_NOT_CONFIGURED: { status: 503, message: 'This server cannot send e-mail yet. Ask an administrator.' },
  SITE_URL_MISSING: { status: 503, message: 'The site URL is not set. Ask an administrator.' },
  MEMBER_NOT_INVITED: { status: 409, message: 'This member already has access.' },
  CANNOT_CHANGE_SELF: { status: 409, message: 'You cannot do this to yourself.' },
  LAST_ROOT: { status: 409, message: 'The last root cannot lose access.' },
  ROLE_ABOVE_YOURS: { status: 403, message: 'You cannot manage this role.' },
  ROLE_NEEDS_PROJECT: { status: 400, message: 'Choose at least one project.' },
  ROLE_BUILT_IN: { status: 409, message: 'Built-in roles cannot be changed.' },
  ROLE_IN_USE: { status: 409, message: 'Members still have this role.' },
  PERMISSION_UNKNOWN: { status: 400, message: 'Unknown permission {name}.' },
  SCOPE_UNKNOWN: { status: 400, message: 'Unknown scope {name}.' },
  SCOPE_ABOVE_YOURS: { status: 403, message: 'You cannot grant {name} because you do not have it.' },
  API_KEY_LIMIT: { status: 409, message: 'A project can have 20 active keys.' },
  API_KEY_REVOKED: { status: 409, message: 'This key was revoked.' },
  API_KEY_ACTION_UNKNOWN: { status: 400, message: 'Unknown action.' },
} as const satisfies Record<string, ErrorEntry>

/** Settings, chains, wallets. */
const SETTINGS = {
  EDIT_CONFLICT: { status: 409, message: 'Someone else changed this. Reload and try again.' },
  IMAGE_INVALID: { status: 400, message: 'The logo must be a PNG, JPEG or WebP image up to 1 MB.' },
  CONFIGURATION_KEY_UNKNOWN: { status: 404, message: 'Unknown setting.' },
  CONFIGURATION_VALUE_INVALID: { status: 400, message: '{reason}' },
  EGRESS_NOT_ALLOWED: { status: 400, message: 'This address is private or not allowed.' },
  SETUP_MODE_UNSUPPORTED: { status: 409, message: 'This server charges no fees and has no operator mode.' },
  WORKER_UNKNOWN: { status: 400, message: 'Unknown worker.' },
  ALARM_ENDS_BY_ITSELF: { status: 409, message: 'This alarm ends by itself, when its cause does.' },
  VAULT_LOCKED: { status: 409, message: 'The vault is locked. Unlock it to continue.' },
  VAULT_NOT_EMPTY: { status: 409, message: 'The vault still holds secrets.' },
  VAULT_IS_DEFAULT: { status: 409, message: 'Make another vault the default before you delete this one.' },
  VAULT_HAS_NO_PASSPHRASE: { status: 409, message: 'This vault has no passphrase: it opens with the server.' },
  VAULT_PASSPHRASE_WRONG: { status: 400, message: 'The passphrase is not correct.' },
  VAULT_PASSPHRASE_THROTTLED: { status: 429, message: 'Too many passphrases. Try again in {seconds} seconds.' },
  VAULT_PROVIDER_UNAVAILABLE: { status: 400, message: 'The master key of this server comes from {source}.' },
  NODE_WRONG_NETWORK: { status: 409, message: 'This node serves chain {found}, not {expected}.' },
  NODE_UNREACHABLE: { status: 409, message: 'This node did not answer: {reason}' },
  LAST_NODE: { status: 409, message: 'A blockchain needs one active node.' },
  ASSET_DISABLED: { status: 409, message: 'This currency is switched off for the whole install.' },
  WALLET_INACTIVE: { status: 409, message: 'This wallet is inactive.' },
  WALLET_NOT_DEPOSIT: { status: 400, message: 'This is not a deposit wallet.' },
  WALLET_EXISTS: { status: 409, message: 'A wallet like this already exists.' },
  WALLET_IN_USE: { status: 409, message: 'This wallet holds or receives money.' },
  WALLET_IS_LAST: { status: 409, message: 'A project still needs this wallet.' },
  WALLET_STATUS_UNKNOWN: { status: 400, message: 'Unknown status.' },
  FAMILY_MISMATCH: { status: 400, message: 'This wallet is of another chain family.' },
  FAMILY_UNSUPPORTED: { status: 400, message: 'Not possible for this chain family.' },
  ADDRESS_INVALID: { status: 400, message: 'This is not a valid {chain} address.' },
  ADDRESS_IS_OURS: { status: 409, message: 'This address belongs to this install.' },
  ADDRESS_BLOCKED: { status: 409, message: 'This address is on the block list.' },
  XPUB_INVALID: { status: 400, message: 'This is not a valid extended public key.' },
  XPUB_IS_PRIVATE: { status: 400, message: 'This is a private key. Never paste it anywhere; send the public one.' },
  PRIVATE_KEY_INVALID: { status: 400, message: 'This is not a valid private key.' },
<<<<<<< HEAD
  ADDRESS_INVALID: { status: 400, message: 'This is not a valid {chain} address.' },
  ADDRESS_IS_OURS: { status: 409, message: 'This address belongs to this install.' },
=======
>>>>>>> main
} as const satisfies Record<string, ErrorEntry>

/** Payments, payouts, referral, developers. */
const BUSINESS = {
  PROJECT_NOT_READY: { status: 409, message: 'This project cannot take payments yet: {reasons}.' },
  PROJECT_CONTEXT_MISSING: { status: 404, message: 'Use a project API key here.' },
  REFERENCE_REQUIRED: { status: 400, message: 'Reference ID is required' },
  PAYMENT_REFERENCE_UNKNOWN: { status: 401, message: 'Payment link not found.' },
  CUSTOMER_HAS_OPEN_LINK: { status: 409, message: 'This customer already has an open link: {reference}.' },
  CUSTOMER_BLOCKED: { status: 409, message: 'This customer is blocked.' },
  AMOUNT_OUT_OF_RANGE: { status: 400, message: 'The amount must be between {min} and {max}.' },
  ASSET_NOT_ACCEPTED: { status: 409, message: 'This currency is not accepted here.' },
  NO_DEPOSIT_ADDRESS: { status: 409, message: 'No deposit wallet is linked for this network.' },
  RATE_UNAVAILABLE: { status: 503, message: 'No trustworthy price right now. Try again shortly.' },
  PAYMENT_NOT_OPEN: { status: 409, message: 'This payment is not open any more.' },
  PAYMENT_HAS_FUNDS: { status: 409, message: 'Money has already been seen for this payment.' },
  PAYMENT_PINNED: { status: 409, message: 'The currency can no longer be changed.' },
  RESOLUTION_NOT_POSSIBLE: { status: 409, message: 'This cannot be done with this payment.' },
  DEPOSIT_NOT_HELD: { status: 409, message: 'This deposit is not on hold.' },
  DEPOSIT_NOT_UNAPPLIED: { status: 409, message: 'This deposit already belongs to a payment.' },
  POLICY_UNREACHABLE: { status: 409, message: 'Fewer than {n} people may approve.' },
  RECIPIENT_VERIFIED: { status: 409, message: 'This recipient needs no code.' },
  RECIPIENT_NOT_ACTIVE: { status: 409, message: 'This recipient {reason}.' },
  OTP_INVALID: { status: 400, message: 'This code is not valid.' },
  OTP_EXPIRED: { status: 410, message: 'This code has expired. Request a new one.' },
  WEBHOOK_URL_NOT_ALLOWED: { status: 400, message: 'This address is private or not allowed.' },
  WEBHOOK_LIMIT: { status: 409, message: 'A project can have 20 endpoints.' },
  WEBHOOK_INACTIVE: { status: 409, message: 'Activate the endpoint first.' },
  ACCESS_KEY_TOO_POWERFUL: {
    status: 409,
    message: 'This API key may request payouts. Use another one, or let us generate one.',
  },
  EVENT_UNKNOWN: { status: 400, message: 'Unknown event {name}.' },
  RANGE_TOO_LARGE: { status: 400, message: 'Choose at most 31 days.' },
  BULK_JOB_EMPTY: { status: 409, message: 'Nothing matches, so there is nothing to do.' },
  BULK_JOB_LIMIT: { status: 409, message: 'This project has {n} bulk jobs under way. Wait until one of them ends.' },
  BULK_JOB_ENDED: { status: 409, message: 'This bulk job has ended already.' },
  FILTER_INVALID: { status: 400, message: '{filter} is not valid.' },
} as const satisfies Record<string, ErrorEntry>

/** Payouts. */
const PAYOUTS = {
  WITHDRAWAL_NOT_FOUND: { status: 404, message: 'No such payout.' },
  CLIENT_REFERENCE_EXISTS: { status: 409, message: 'A payout with this client reference exists: {id}.' },
  ASSET_NOT_PAYABLE: { status: 400, message: 'Payouts in {currency} on {chain} are not possible.' },
  PAYOUT_NOT_PENDING: { status: 409, message: 'This payout is not waiting for approval.' },
  PAYOUT_NOT_CANCELLABLE: { status: 409, message: 'This payout can no longer be cancelled.' },
  PAYOUT_NOT_RETRYABLE: { status: 409, message: 'This payout cannot be sent again.' },
  PAYOUT_SELF_APPROVAL: { status: 403, message: 'Someone else must approve a payout you created.' },
  PAYOUT_ALREADY_APPROVED: { status: 409, message: 'You have already approved this payout.' },
  INSUFFICIENT_FUNDS: { status: 409, message: 'Only {amount} {currency} is available.' },
  REFUND_TOO_LARGE: { status: 409, message: 'At most {amount} can be refunded for this payment.' },
  PROJECT_HAS_OPEN_MONEY: { status: 409, message: 'This project has payouts that have not ended.' },
} as const satisfies Record<string, ErrorEntry>

/** Absent things. */
const ABSENT = {
  MEMBER_NOT_FOUND: { status: 404, message: 'No such operator.' },
  CUSTOMER_NOT_FOUND: { status: 404, message: 'No such customer.' },
  ROLE_NOT_FOUND: { status: 404, message: 'No such role.' },
  SESSION_NOT_FOUND: { status: 404, message: 'No such session.' },
  PASSKEY_NOT_FOUND: { status: 404, message: 'No such passkey.' },
  BLOCKCHAIN_NOT_FOUND: { status: 404, message: 'No such blockchain.' },
  NODE_NOT_FOUND: { status: 404, message: 'No such node.' },
  ASSET_NOT_FOUND: { status: 404, message: 'No such currency on this blockchain.' },
  WALLET_NOT_FOUND: { status: 404, message: 'No such wallet.' },
  VAULT_NOT_FOUND: { status: 404, message: 'No such vault.' },
  TRANSACTION_NOT_FOUND: { status: 404, message: 'No such transaction on this blockchain.' },
  PAYMENT_NOT_FOUND: { status: 404, message: 'No such payment.' },
  DEPOSIT_NOT_FOUND: { status: 404, message: 'No such deposit.' },
  BULK_JOB_NOT_FOUND: { status: 404, message: 'No such bulk job.' },
  RECIPIENT_NOT_FOUND: { status: 404, message: 'No such recipient.' },
  ALARM_NOT_FOUND: { status: 404, message: 'No such open alarm.' },
  WEBHOOK_NOT_FOUND: { status: 404, message: 'No such webhook.' },
  DELIVERY_NOT_FOUND: { status: 404, message: 'No such delivery.' },
  GRAPH_NOT_FOUND: { status: 404, message: 'No such graph.' },
  AUDIT_ROW_NOT_FOUND: { status: 404, message: 'No such log entry.' },
  API_KEY_NOT_FOUND: { status: 404, message: 'No such API key.' },
  CONFIGURATION_NOT_SET: { status: 404, message: 'There is no value for this setting.' },
  SMTP_NOT_SET: { status: 404, message: 'There is no mail server.' },
} as const satisfies Record<string, ErrorEntry>

export const ERRORS = { ...COMMON, ...ABSENT, ...EXISTING, ...IDENTITY, ...SETTINGS, ...BUSINESS, ...PAYOUTS } as const

export type ErrorCode = keyof typeof ERRORS

/** Codes any route may answer with; routes list only what goes beyond them. */
export const COMMON_ERRORS = Object.keys(COMMON) as (keyof typeof COMMON)[]
