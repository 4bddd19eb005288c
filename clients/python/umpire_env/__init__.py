"""Umpire's attempts as a Gymnasium environment, for agents made for BrowserGym."""

from .connection import StepsConnection, UmpireError
from .env import UmpireEnv

__all__ = ["StepsConnection", "UmpireEnv", "UmpireError"]
