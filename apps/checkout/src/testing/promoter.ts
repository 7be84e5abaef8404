import type { PromoterView } from '../render/promoter/view.ts'

const AT = new Date('2026-11-20T05:14:00Z')

/** A promoter with rewards in two currencies, campaigns of each kind and withdrawals in each state. */
export const PROMOTER: PromoterView = {
  page: {
    referrer: {
      code: 'K7Q2M9A',
      email: 'a…a@shop.example',
      status: 'active',
      link: 'https://acme.example/?ref=K7Q2M9A',
    },
    project: { name: 'Acme', logoPath: '', brandColor: '#caff54' },
    campaigns: [
      {
        ...{ id: 1, name: 'Spring', description: null, rewardText: null, inviteeRewardText: null, currencyCode: 'USD' },
        reward: { type: 'percentage', value: '10', cap: '50' },
        inviteeReward: { type: 'flat_fee', value: '5', cap: null },
        campaignTypePerCustomer: 'one_time',
        maxOccurrencesPerCustomer: null,
        validityMonthsPerCustomer: null,
        endDate: new Date('2026-12-02T05:14:00Z'),
      },
      {
        ...{ id: 2, name: 'Always', description: '<b>For all</b>', rewardText: null, inviteeRewardText: null },
        ...{ currencyCode: 'USDC', reward: { type: 'flat_fee', value: '2.5', cap: null }, inviteeReward: null },
        campaignTypePerCustomer: 'count_per_customer',
        maxOccurrencesPerCustomer: 3,
        validityMonthsPerCustomer: null,
        endDate: null,
      },
    ],
    totals: { currencyCode: 'USD', earned: '312', available: '120', held: '40', paid: '152' },
    balances: [
      { currencyCode: 'USD', earned: '312', available: '120', held: '40', paid: '152', owed: '0' },
      { currencyCode: 'USDC', earned: '5', available: '5', held: '0', paid: '0', owed: '0' },
    ],
    refereeCount: 7,
    minWithdrawal: '10.00',
    payableIn: [
      { currencyCode: 'USDC', blockchainCode: 'BASE', blockchainName: 'Base', decimals: 6 },
      { currencyCode: 'ETH', blockchainCode: 'ETH', blockchainName: 'Ethereum', decimals: 18 },
    ],
  },
  rewards: (['pending', 'held', 'processed', 'reversed'] as const).map((status, id) => ({
    ...{
      id,
      createdAt: AT,
      amount: '4.9',
      currencyCode: 'USD',
      status,
      campaign: 'Spring',
      referee: 'b…@shop.example',
    },
  })),
  withdrawals: (['pending-approval', 'sent', 'processed', 'rejected'] as const).map((status, id) => ({
    ...{
      id,
      createdAt: AT,
      rewardAmount: '40',
      rewardCurrencyCode: 'USD',
      currencyCode: 'USDC',
      blockchainCode: 'BASE',
    },
    amount: status === 'pending-approval' || status === 'rejected' ? null : '40',
    toAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    status,
    txHash: status === 'processed' ? '0xabc' : null,
    explorerTransaction: status === 'processed' ? 'https://basescan.org/tx/0xabc' : null,
    reason: status === 'rejected' ? 'We could not reach you' : null,
  })),
  path: '/referral/kref_token',
  now: AT,
  siteUrl: 'https://pay.acme.example',
  script: '/* its script */',
}
