// SPDX-License-Identifier: AGPL-3.0-only
pragma solidity ^0.8.28;

/// Does what a sender could do to look like a deposit: arbitrary logs, batches, inner calls that fail. Tests only.
contract TransferProbe {
    struct Call {
        address target;
        uint256 value;
        bytes data;
        bool mayFail;
    }

    error Refused();

    receive() external payable {}

    /// Makes the calls in order, as one transaction.
    function execute(Call[] calldata calls) external payable {
        for (uint256 i = 0; i < calls.length; i++) {
            (bool ok,) = calls[i].target.call{value: calls[i].value}(calls[i].data);
            if (!ok && !calls[i].mayFail) revert Refused();
        }
    }

    /// Sends the value on and then undoes it.
    function forwardAndRevert(address payable to) external payable {
        (bool ok,) = to.call{value: msg.value}("");
        if (ok) revert Refused();
    }

    /// Leaves through SELFDESTRUCT, which moves the balance without calling the receiver.
    function leaveTo(address payable to) external payable {
        assembly {
            selfdestruct(to)
        }
    }

    /// An ERC-20 `transfer` that fails the old way: it returns false and moves nothing.
    function transfer(address, uint256) external pure returns (bool) {
        return false;
    }

    /// Writes a log with any topics and any data.
    function emitLog(bytes32[] calldata topics, bytes calldata data) external {
        bytes memory body = data;
        bytes32[4] memory t;
        for (uint256 i = 0; i < topics.length; i++) t[i] = topics[i];
        uint256 count = topics.length;
        assembly {
            let at := add(body, 32)
            let size := mload(body)
            switch count
            case 0 { log0(at, size) }
            case 1 { log1(at, size, mload(t)) }
            case 2 { log2(at, size, mload(t), mload(add(t, 32))) }
            case 3 { log3(at, size, mload(t), mload(add(t, 32)), mload(add(t, 64))) }
            default { log4(at, size, mload(t), mload(add(t, 32)), mload(add(t, 64)), mload(add(t, 96))) }
        }
    }
}
