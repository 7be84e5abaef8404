/** What to do after an error: for some codes in detail, for the others by their status. */
import { type ErrorCode, ERRORS } from './errors.ts'

const BY_STATUS: Readonly<Record<number, string>> = {
  400: 'Correct what the message names. The same request, sent unchanged, is refused again.',
  401: 'Send a key or session that is valid, in the header API-Key. The page Developers lists the keys of a project.',
  403: 'Ask an administrator for what the message names. The same request, sent unchanged, is refused again.',
  404: 'Check the id, and that the key belongs to the same project: what another project owns is not found either.',
  405: 'Use the method that the reference names for this path.',
  409: 'Read the object again and decide from its present state. The same request, sent unchanged, is refused again.',
  410: 'Request a new one, then send that.',
  413: 'Send less at once: a smaller file, or several requests.',
  415: 'Set the header Content-Type to application/json, or to multipart/form-data where a file is sent.',
  421: 'Use the site URL, or ask an administrator to add this name to the allowed origins.',
  422: 'Correct what the message names. The same request, sent unchanged, is refused again.',
  429: 'Wait as many seconds as the header Retry-After says, then send the request again.',
  500: 'Send the request again with the same Idempotency-Key: nothing happens twice. If it stays, search the log of the server for the reference.',
  503: 'Wait as many seconds as the header Retry-After says, or one minute without it, then send the request again with the same Idempotency-Key.',
}

const BY_CODE: Partial<Record<ErrorCode, string>> = {
  UNAUTHORIZED:
    'Check the header API-Key: the whole key, without quotes or spaces, of this server. Make a new key where it was revoked or has expired.',
  FORBIDDEN:
    'An API key needs a scope for this call, which the page Developers adds; a member needs the permission, which an administrator gives.',
  STEP_UP_REQUIRED:
    'Confirm with your second factor or password (POST /session/step-up), then send the request again. API keys cannot confirm.',
  SECOND_FACTOR_SETUP_REQUIRED: 'Add a second factor under Settings › Security, then send the request again.',
  RESET_PASSWORD_REQUIRED: 'Choose a new password in the dashboard, then sign in again.',
  IDEMPOTENCY_KEY_REUSED:
    'Use a new Idempotency-Key for each different request, and the old one only to repeat the same request.',
  IDEMPOTENCY_IN_PROGRESS:
    'Wait one second, then repeat the request with the same Idempotency-Key: it answers what the first one answered.',
  INVALID_JSON_DATA: 'Send a JSON object. Check quotes and commas; numbers stand without quotes.',
  VALIDATION_FAILED:
    'The answer names each field that is not valid, with the reason. Correct them and send the request again.',
  PAGE_TOO_DEEP: 'Continue with the cursor that the last page answered in place of a page number.',
  SORT_TOO_BROAD:
    'Send dateFrom and dateTo, or another filter, so that fewer payments match; or sort by created_at, updated_at or amount_in_usd, which have no limit.',
  CURSOR_INVALID: 'Start again with the first page. A cursor belongs to one list with the same filters and order.',
  PROJECT_ARCHIVED: 'Activate the project again under Settings, or use a key of another project.',
  PROJECT_NOT_READY:
    'Open the set-up guide of the project: it shows what each reason needs. A deposit wallet must be linked for one network at least.',
  PROJECT_CONTEXT_MISSING:
    'Send the API key of a project in the header API-Key; the session of a member belongs to no project.',
  CUSTOMER_HAS_OPEN_LINK: 'Send the customer to the open link, or send replace: true to end it and make a new one.',
  CUSTOMER_BLOCKED: 'Do not take a payment of this customer. An operator can unblock them on the page Customers.',
  AMOUNT_OUT_OF_RANGE:
    'Choose an amount between the two that the message names, or change the limits in the settings of the project.',
  INVOICE_EXISTS: 'Look the payment up by its invoice id before you make another one, or send a new invoice id.',
  ASSET_NOT_ACCEPTED:
    'Leave the currency out, so that the customer chooses, or switch it on in the settings of the project.',
  NO_DEPOSIT_ADDRESS: 'Link a deposit wallet for this network under Wallets, or choose another network.',
  RATE_UNAVAILABLE:
    'Wait one minute and send the request again. If it stays, System health shows which price sources do not answer.',
  REFERENCE_REQUIRED: 'Send the reference_id that creating the payment answered.',
  PAYMENT_REFERENCE_UNKNOWN:
    'Check the reference_id: it is the one that creating the payment answered, of this server.',
  PAYMENT_NOT_OPEN: 'Read the payment: it is paid or cancelled. Make a new one where the customer still wants to pay.',
  PAYMENT_HAS_FUNDS:
    'Read the payment and wait for its money to become final. It cannot be cancelled or changed any more.',
  PAYMENT_PINNED: 'Let the customer pay in the chosen currency, or cancel the payment and make a new one.',
  FAMILY_UNSUPPORTED: 'Choose a network of another family: this version cannot do this on this one.',
  RECIPIENT_EXISTS:
    'Use the recipient that is there: list recipients by this address. Each project knows an address once.',
  RECIPIENT_VERIFIED: 'Nothing is left to do: the recipient can be paid.',
  OTP_INVALID: 'Type the code of the newest e-mail. After five wrong ones request another code.',
  SMTP_NOT_CONFIGURED:
    'Ask an administrator to set the mail server under Settings › E-mail, then send the request again.',
  STEP_UP_MISMATCH: 'Something changed since it was confirmed. Read it again, confirm it again, then send the request.',
  CLIENT_REFERENCE_EXISTS:
    'Read the payout that the message names: it is the one of this reference. Send a new reference for another one.',
  ASSET_NOT_PAYABLE:
    'Choose a currency and network that payouts are switched on for: the page Blockchains & nodes lists them.',
  INSUFFICIENT_FUNDS:
    'Ask for at most what the message names: the rest is used, or not earned yet where payouts may take only what was.',
  REFUND_NOT_CLAIMABLE:
    'Read the networks of GET first: money can be claimed that is final and too much, late, unmatched, or part of a request that ended.',
  REFUND_CLAIM_DECIDED: 'Nothing can be claimed any more: a refund was requested, or declined. Ask the shop.',
  REFUND_CLAIM_CHANGED: 'Read the payment again, look at the address that it names now, and decide about that one.',
  REFUND_TOO_LARGE: 'Ask for at most what the message names: the rest was refunded, or never came in this currency.',
  RECIPIENT_NOT_ACTIVE:
    'Verify the recipient with the code that was mailed, or wait until the time that the message names.',
  ADDRESS_INVALID: 'Copy the address again from where it comes, whole, and check that it belongs to this network.',
  ADDRESS_IS_OURS: 'Pay to an address outside of this install: money sent to one of our own would go in a circle.',
  ADDRESS_BLOCKED: 'Pay to another address. Nothing can be got back from a contract of a token or from a burn address.',
  COLD_WALLET_MISSING:
    'Add a cold wallet for this network under Wallet management. On mainnet it can be used 24 hours later.',
  HOT_WALLET_MISSING: 'Add or activate a hot wallet that pays network fees on this network, under Wallet management.',
  INSUFFICIENT_GAS: 'Send what the message names to the hot wallet, wait until it has arrived, then try again.',
  GAS_TOO_HIGH: 'Try again once the network is calmer: a sweep that waits loses nothing.',
  SWEEP_NETWORK_UNSUPPORTED: 'Use ETH or TRX. Wallets with a sweep contract are swept by themselves elsewhere.',
  ADDRESS_LOCKED: 'Wait until the time that the message names, or cancel the other sweep while it has no transaction.',
  ADDRESS_NOT_APPROVED: 'Approve the addresses first: their keys must allow it once.',
  SWEEP_PLAN_EXPIRED: 'Ask for a new plan and look at its price: fees and balances have changed since.',
  SWEEP_BELOW_MINIMUM: 'Wait until more has arrived, or lower the minimum of the currency.',
  SWEEP_NOT_INITIATED: 'Read the sweep: it has a transaction already, or has ended.',
  SWEEP_NOT_FAILED: 'Nothing is left to do: the sweep is on its way, or has arrived.',
  SWEEP_TX_RECORDED: 'Wait for the blockchain: a transaction that is sent cannot be taken back.',
  SWEEP_TX_MISMATCH: 'Check the hash: the transaction must be the one that was handed out for this sweep, unchanged.',
  SIGNATURE_INVALID: 'Sign the batch that was handed out last, with the seed of this wallet.',
  REFERRAL_INVALID: 'Correct the fields that the answer names, each with its reason, and log or link again.',
  SITE_URL_MISSING:
    'An administrator sets the site URL under Settings › General: links to a promoter’s page begin with it.',
  REFERRAL_EVENT_UNKNOWN:
    'Make the event under Growth › Campaigns › Events first, or send the key of one that is there.',
  REFERRAL_EVENT_DUPLICATE:
    'Nothing is left to do: this event counts. Send another externalID where it really happened again.',
  REFERRAL_LINKED_ALREADY: 'Leave it: who brought a customer first stays their promoter.',
  REFERRAL_SELF: 'Send the reference and e-mail of the customer who was brought, not those of the promoter.',
  REFERRER_INACTIVE: 'An operator can activate the promoter on their page under Growth.',
  REWARDS_OWED_BACK:
    'Reject the withdrawal: what it holds makes up for what is owed, and the promoter can request the rest.',
  REFERRER_NOT_FOUND:
    'Sign the promoter in first (POST /referral/referrers/authenticate), or link the customer, and check code and reference.',
  REFERRAL_TOKEN_INVALID: 'Open the page again from the shop: it makes a new link each time.',
  CAMPAIGN_RULES:
    'Correct the fields that the answer names, each with the rule it breaks, and send the campaign again.',
  CAMPAIGN_RUNNING: 'Leave the other fields out. Duplicate the campaign where they must be different.',
  CAMPAIGN_ENDED: 'Archive it, or duplicate it with other dates.',
  CAMPAIGN_BUDGET_TOO_LOW: 'Send a budget that is at least what the campaign has given, or archive the campaign.',
  CAMPAIGN_STATUS_SAME: 'Nothing is left to do.',
  CAMPAIGN_STATUS_FINAL: 'Duplicate the campaign: the copy starts anew.',
  REFERRER_STATUS_SAME: 'Nothing is left to do.',
  REFERRAL_EVENT_FIXED: 'Make a new event with the other key or type, and use it in new campaigns.',
  WITHDRAWAL_BELOW_MINIMUM: 'Wait until enough is ready, then ask for at least what the message names.',
  EVENT_UNKNOWN: 'Use one of the names of events that the reference of webhooks lists.',
  FILTER_INVALID: 'Correct the filter that the message names, or leave it out.',
  WEBHOOK_URL_NOT_ALLOWED:
    'Use an address that is reached from the internet, with https on mainnet. An administrator can allow private networks.',
  WEBHOOK_INACTIVE: 'Switch the endpoint on, then send the request again.',
  RATE_LIMITED:
    'Wait as many seconds as the header Retry-After says, then send the request again. RateLimit-Remaining tells before it happens.',
}

/** Returns what the receiver of the error should do next. */
export function adviceOf(code: ErrorCode): string {
  const advice = BY_CODE[code] ?? BY_STATUS[ERRORS[code].status]
  if (advice === undefined) throw new TypeError(`The status of ${code} has no advice`)
  return advice
}
