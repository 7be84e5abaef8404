/**
 * The sandbox's test tokens. A key that is used nowhere else deploys them at fixed nonces, so their addresses are
 * the same on every sandbox chain (EVM `CREATE`: keccak of deployer and nonce).
 */
export const SANDBOX_TOKENS = {
  deployer: '0x33FA75685B5783cB0dEE317A1CB00c101451FD15',
  /** Nonce 0. */
  usdc: '0x61Ed5Fe6Af9B3Ef2e80d5B6b2B7C626359efEb1e',
  /** Nonce 1; `transfer` returns nothing, as on Ethereum. */
  usdt: '0x9eB01236A06f4f413EDC06A8d0f43875a0D63168',
  /** Nonce 2; calls itself USDC, is listed nowhere and must never be credited. */
  lookAlikeUsdc: '0xaD48383490C98F93C0A2AF6f6D37734EBd439197',
} as const

/** The same contracts on the sandbox's TRON: its test USDT has the same 20 bytes, as TRON spells them. */
export const SANDBOX_TRON_TOKENS = {
  usdt: 'TQSGh1J7JGyeNJHjdvCrWV8nEh7D8pwZSM',
  /** Calls itself USDC, is listed nowhere and must never be credited. */
  lookAlikeUsdc: 'TRmSR9YVqtCTx9jdZUPYFrP367KwBNrbRr',
} as const

/** Nonce 3 of the same key, on the sandbox's TRON: the factory of sweep contracts. */
export const SANDBOX_TRON_FACTORY = 'TVT47XAzaing2Tkm7Qf7yj678QSbeqpEXP'

/** The mints of the sandbox's Solana: the SHA-256 of their names, for which no key is known. */
export const SANDBOX_SOLANA_TOKENS = {
  usdc: 'J7QHx8Fpi5kgAVDDJthmACodxLErdHder2Ehn3YsExeB',
  usdt: '7mcGmQ71yyFVRcJ5WW1bvtmN31oPPFYPfJvsfNJSv1TP',
  /** Is listed nowhere and must never be credited. */
  lookAlikeUsdc: 'EEKDWpowAnnNGSrx32SxcfXb8t8fuUpHi4AjBKry68aV',
} as const
