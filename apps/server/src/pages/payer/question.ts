/** The form "I already paid" of the payer's page: asks Y9 what became of a transaction, also without JavaScript. */
import { ApiError } from '@kassa/contract/kit/api-error.ts'
import { PaymentQuestion, TransactionQuestion } from '@kassa/contract/payments/diagnosis.ts'

import type { Diagnosis } from '@kassa/contract/payments/diagnosis.ts'

import type { Context } from '../../context.ts'
import { fieldTexts } from '../../http/api-errors.ts'
import type { Refused } from './refusal.ts'

export type Question = {
  readonly txHash: string
  readonly blockchainCode: string
  /** What is known without the hash; absent where it is asked by the hash. */
  readonly withoutHash?: { readonly amount: string; readonly address: string; readonly paidOn: string }
}

/** A question about a transaction with its answer, or why there is none. */
export type Asked = Question & {
  readonly diagnosis: Diagnosis | null
  readonly refusal?: Refused
}

/** Diagnoses for one payment and limits one caller. */
export type Answerer = {
  /** @throws RATE_LIMITED */
  readonly limit: (ctx: Context) => Promise<unknown>
  /** @throws VALIDATION_FAILED and BLOCKCHAIN_NOT_FOUND for input that cannot be right */
  readonly diagnose: (ctx: Context, question: Question) => Promise<Diagnosis>
}

export type Outcome = { readonly status: number; readonly retryAfter?: number; readonly asked: Asked }

/** Reads the question of a form; null when the form is another one. */
export function readQuestion(form: Readonly<Record<string, string>>): Question | null {
  const { txHash, blockchainCode = '', amount, address = '', paidOn = '' } = form
  if (txHash !== undefined) return { txHash: txHash.trim(), blockchainCode }
  if (amount === undefined) return null
  return { txHash: '', blockchainCode: '', withoutHash: { amount: amount.trim(), address: address.trim(), paidOn } }
}

/**
 * Answers a question with a diagnosis, or with a sentence that helps the payer.
 * @throws what no sentence in the form can help with
 */
export async function askAbout(ctx: Context, question: Question, answerer: Answerer): Promise<Outcome> {
  const unanswered = { ...question, diagnosis: null }
  const { withoutHash, ...byHash } = question
  const checked = withoutHash ? PaymentQuestion.safeParse(withoutHash) : TransactionQuestion.safeParse(byHash)
  if (!checked.success) {
    const [text = 'The request is not valid.'] = Object.values(fieldTexts(checked.error))
    return { status: 200, asked: { ...unanswered, refusal: { code: 'VALIDATION_FAILED', text } } }
  }
  try {
    await answerer.limit(ctx)
    return { status: 200, asked: { ...question, diagnosis: await answerer.diagnose(ctx, question) } }
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown
    if (thrown.code === 'RATE_LIMITED') {
      const retryAfter = thrown.retryAfter ?? 10
      const refusal = { code: thrown.code, text: thrown.message, seconds: retryAfter }
      return { status: 429, retryAfter, asked: { ...unanswered, refusal } }
    }
    if (thrown.code === 'PAYMENT_REFERENCE_UNKNOWN') return { status: 404, asked: unanswered }
    if (thrown.code !== 'VALIDATION_FAILED' && thrown.code !== 'BLOCKCHAIN_NOT_FOUND') throw thrown
    return { status: 200, asked: { ...unanswered, refusal: { code: thrown.code, text: thrown.message } } }
  }
}
