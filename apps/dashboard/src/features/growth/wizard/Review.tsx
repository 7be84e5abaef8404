import type { CampaignTerms } from '@kassa/contract/referral/campaign-rules.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { Card } from '../../../ui/places/Card.tsx'
import {
  campaignSentences,
  EXAMPLE_PURCHASES,
  exampleMoney,
  exampleReward,
  exampleSentences,
  worstCase,
} from './sentences.ts'

/** A campaign in full: sentences, three purchases, and what it can cost at most. */
export function Review({ terms, eventNames }: { terms: CampaignTerms; eventNames: readonly string[] }) {
  const { currencyCode, rewards } = terms
  const isPaid = rewards.referrer?.type === 'percentage' || rewards.referee?.type === 'percentage'
  return (
    <div className="flex flex-col gap-5">
      <ul className="flex list-disc flex-col gap-1.5 ps-5 text-body">
        {campaignSentences(terms, eventNames).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {isPaid && (
        <div className="overflow-x-auto">
          <table className="w-full border-collapse text-body tabular-nums">
            <caption className="mb-2 text-start font-medium">
              <Trans>Three purchases</Trans>
            </caption>
            <thead className="text-muted">
              <tr className="border-b border-border">
                <th scope="col" className="py-2 pe-3 text-start font-medium">
                  <Trans>Friend pays</Trans>
                </th>
                {rewards.referrer !== null && (
                  <th scope="col" className="px-3 py-2 text-end font-medium">
                    <Trans>Promoter gets</Trans>
                  </th>
                )}
                {rewards.referee !== null && (
                  <th scope="col" className="ps-3 py-2 text-end font-medium">
                    <Trans>Friend gets</Trans>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {EXAMPLE_PURCHASES.map((purchase) => (
                <tr key={String(purchase)} className="border-b border-border last:border-0">
                  <th scope="row" className="py-2 pe-3 text-start font-normal">
                    {exampleMoney(purchase, 'USD')}
                  </th>
                  {rewards.referrer !== null && (
                    <td className="px-3 py-2 text-end">
                      {exampleMoney(exampleReward(terms, 'referrer', purchase), currencyCode)}
                    </td>
                  )}
                  {rewards.referee !== null && (
                    <td className="ps-3 py-2 text-end">
                      {exampleMoney(exampleReward(terms, 'referee', purchase), currencyCode)}
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p className="rounded-card border border-border bg-sunken px-4 py-3 text-body">
        <span className="font-medium">
          <Trans>What it can cost</Trans>
        </span>
        <span className="block">{worstCase(terms)}</span>
      </p>
    </div>
  )
}

/** The worked example beside the form, as far as the rewards are filled in. */
export function LiveExample({ terms }: { terms: CampaignTerms | undefined }) {
  return (
    <Card title={t`For example`}>
      <div aria-live="polite" className="text-body">
        {terms === undefined ? (
          <p className="text-muted">
            <Trans>Fill in the rewards to see an example.</Trans>
          </p>
        ) : (
          <>
            <ul className="flex flex-col gap-1">
              {exampleSentences(terms).map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
            <p className="mt-3 text-dense text-muted">{worstCase(terms)}</p>
          </>
        )}
      </div>
    </Card>
  )
}
