import type { FinalityRule } from './deposit.ts'

/** A deposit that is deep enough and waits for a second source. */
export type Unproven = {
  readonly id: bigint
  readonly height: number
  readonly blockHash: string
  readonly txId: string
  readonly leg: string
  readonly assetId: number
  readonly to: string
  readonly units: bigint
  readonly evidence: string
  readonly confirmationsRequired: number
  readonly rule: FinalityRule
}

export type Opinion = {
  readonly depositId: bigint
  /** The node that was asked; null when there is none to ask, or none answers. */
  readonly nodeId: number | null
  /** `alone`: nobody else can tell. `silent`: somebody could, and does not answer. */
  readonly verdict: 'agrees' | 'differs' | 'silent' | 'alone'
  /** What it said, or why the deposit waits; a sentence for people. */
  readonly details: string
}
