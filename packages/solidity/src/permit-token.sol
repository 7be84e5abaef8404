// SPDX-License-Identifier: AGPL-3.0-only
pragma solidity ^0.8.28;

import {TestToken} from "./test-token.sol";

/// A test token whose owners may approve by a signature (EIP-2612), as USDC does.
contract PermitToken is TestToken {
    error BadSignature();

    bytes32 public immutable DOMAIN_SEPARATOR;
    mapping(address => uint256) public nonces;

    bytes32 private constant PERMIT =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    constructor(string memory name_, string memory symbol_, uint8 decimals_, uint256 supply, address owner)
        TestToken(name_, symbol_, decimals_, supply, owner)
    {
        bytes32 domain = keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
        DOMAIN_SEPARATOR =
            keccak256(abi.encode(domain, keccak256(bytes(name_)), keccak256("1"), block.chainid, address(this)));
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        bytes32 digest = keccak256(abi.encode(PERMIT, owner, spender, value, nonces[owner]++, deadline));
        address signer = ecrecover(keccak256(abi.encodePacked(hex"1901", DOMAIN_SEPARATOR, digest)), v, r, s);
        if (block.timestamp > deadline || signer == address(0) || signer != owner) revert BadSignature();
        allowance[owner][spender] = value;
        emit Approval(owner, spender, value);
    }
}
