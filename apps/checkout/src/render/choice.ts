/** The asset a customer chose, as the API names it. */
export type Choice = { readonly blockchain_code: string; readonly currency_code: string }

const CODE = /^[A-Za-z0-9.]{1,20}$/

/** Prints a choice as the value of one form field: a radio button has only one. */
export function choiceValue(option: { readonly blockchainCode: string; readonly currencyCode: string }): string {
  return `${option.blockchainCode}:${option.currencyCode}`
}

/** Reads what the page's form posts: `asset` ("BASE:USDC"), or `blockchain_code` and `currency_code`; null when it is neither. */
export function readChoice(fields: Readonly<Record<string, unknown>>): Choice | null {
  const [chain, currency] =
    typeof fields['asset'] === 'string'
      ? fields['asset'].split(':')
      : [fields['blockchain_code'], fields['currency_code']]
  if (typeof chain !== 'string' || typeof currency !== 'string') return null
  return CODE.test(chain) && CODE.test(currency) ? { blockchain_code: chain, currency_code: currency } : null
}
