// SPDX-License-Identifier: AGPL-3.0-only
pragma solidity 0.8.37;

import {KassaVault} from "../src/sweep/kassa-vault.sol";
import {ofAccount, one} from "./cheats.sol";

/// A well-behaved token that anybody may mint.
contract Token {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => uint256) public nonces;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        return true;
    }

    /// Takes the right first byte for a signature; who signs is not the business of these tests.
    function permit(address owner, address spender, uint256 value, uint256, uint8 v, bytes32, bytes32) external {
        require(v == 27);
        allowance[owner][spender] = value;
    }
}

/// Moves the money and says it did not, like USDT on TRX.
contract DenyingToken {
    mapping(address => uint256) public balanceOf;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        return false;
    }
}

/// Says nothing at all.
contract SilentToken {
    mapping(address => uint256) public balanceOf;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function transfer(address to, uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
    }
}

/// Refuses transfers of one account, as block lists do.
contract BlockingToken {
    mapping(address => uint256) public balanceOf;
    address public blocked;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function refuse(address account) external {
        blocked = account;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        require(msg.sender != blocked && to != blocked, "blocked");
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}

/// Answers every call with a megabyte, which whoever copies it pays for.
contract LoudToken {
    fallback() external {
        assembly {
            return(0, 1000000)
        }
    }
}

/// Answers every call with seven bytes.
contract JunkToken {
    fallback() external {
        assembly {
            return(0, 7)
        }
    }
}

/// Burns whatever gas it gets.
contract BurningToken {
    fallback() external {
        while (true) {}
    }
}

/// Calls the vault back from within: every function it has, for another's money and for the collector.
contract ReenteringToken {
    KassaVault private immutable VAULT;
    Token private immutable GOOD;
    uint256 public calls;

    constructor(KassaVault vault, Token good) {
        VAULT = vault;
        GOOD = good;
    }

    function transfer(address, uint256) external returns (bool) {
        _reenter();
        return true;
    }

    function transferFrom(address, address, uint256) external returns (bool) {
        _reenter();
        return true;
    }

    function _reenter() private {
        calls++;
        VAULT.sweepToken(address(GOOD), one(1, 100));
        VAULT.sweepTokenDelegated(address(GOOD), ofAccount(address(0xE0A), 100));
        VAULT.pullToken(address(GOOD), ofAccount(address(0xA11CE), 100));
        VAULT.sweepNative(one(1, 1));
        _try(abi.encodeCall(KassaVault.initialize, (address(this))));
        _try(abi.encodeCall(KassaVault.proposeCollector, (address(this))));
        _try(abi.encodeCall(KassaVault.acceptCollector, ()));
        _try(abi.encodeCall(KassaVault.proposeOwner, (address(this))));
        _try(abi.encodeCall(KassaVault.acceptOwner, ()));
        _try(abi.encodeCall(KassaVault.freezeCollector, ()));
    }

    function _try(bytes memory data) private {
        (bool ok,) = address(VAULT).call(data);
        require(!ok, "a token may command the vault");
    }
}

/// A collector that calls the vault back for every coin it gets.
contract ReenteringCollector {
    KassaVault public vault;
    uint256 public depth;

    function setVault(KassaVault vault_) external {
        vault = vault_;
    }

    receive() external payable {
        if (depth++ < 3) vault.sweepNative(one(1, 1));
    }
}

/// Pays with the 2,300 gas of `transfer`.
contract Stipend {
    receive() external payable {}

    function pay(address payable to) external {
        to.transfer(1);
    }
}
