/**
 * The sandbox's payer. The key is public and worthless: it owns the test tokens of local chains and nothing else.
 * It is the keccak-256 hash of the text `Kassa sandbox payer`.
 */
export const payerKey = '0x04a93b4a057059d66b91ca3117193383d656e304dee37739479da0f2b45213b6'
export const payerAddress = '0x83d368fFC154Efa88B988D7F76E2dA5bafA7f9dE'
