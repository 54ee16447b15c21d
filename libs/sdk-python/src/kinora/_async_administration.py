"""The operations of the asynchronous client that a key of the scope `account` may do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Optional, Union

from . import _operations as operations
from ._async_resources import AsyncGroup
from ._options import RequestOptions
from ._pages import AsyncPages
from ._webhooks import Secrets, unwrap_webhook
from .types import ApiKey, DeletedApiKey, IssuedApiKey, IssuedWebhookSecret, WebhookDelivery, WebhookDeliveryDetails, WebhookEvent

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .types import CreateAccountKeyBody

    class NewKey(CreateAccountKeyBody, RequestOptions, total=False):
        """The fields of the new key, and the options."""


class AsyncKeys(AsyncGroup):
    def list(
        self, *, limit: Optional[int] = None, cursor: Optional[str] = None, **options: Unpack[RequestOptions]
    ) -> AsyncPages[ApiKey]:
        """The keys of the account, newest first."""
        return self._core.list(operations.listing("/account/keys", limit=limit, cursor=cursor), options)

    async def create(self, **key: Unpack[NewKey]) -> IssuedApiKey:
        """A new key; its secret is in this answer only."""
        fields, options = operations.split(key)
        return await self._core.call(operations.once("POST", "/account/keys", fields), options)

    async def revoke(self, key_id: str, **options: Unpack[RequestOptions]) -> DeletedApiKey:
        """Ends a key."""
        return await self._core.call(operations.once("DELETE", operations.key(key_id)), options)

    async def rotate(
        self, key_id: str, *, overlap_seconds: int = 0, **options: Unpack[RequestOptions]
    ) -> IssuedApiKey:
        """Gives a key a new secret; the previous one stays valid for `overlap_seconds`."""
        body = {"overlap_seconds": overlap_seconds}
        return await self._core.call(operations.once("POST", operations.key(key_id) + "/rotate", body), options)


class AsyncDeliveries(AsyncGroup):
    def list(
        self,
        *,
        job_id: Optional[str] = None,
        status: Optional[str] = None,
        host: Optional[str] = None,
        since: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPages[WebhookDelivery]:
        """The deliveries of webhooks, newest first."""
        filters = {"job_id": job_id, "status": status, "host": host, "since": since}
        operation = operations.listing("/webhooks/deliveries", limit=limit, cursor=cursor, **filters)
        return self._core.list(operation, options)

    async def get(self, delivery_id: str, **options: Unpack[RequestOptions]) -> WebhookDeliveryDetails:
        """A delivery with its attempts."""
        return await self._core.call(operations.listing(operations.delivery(delivery_id)), options)

    async def redeliver(self, delivery_id: str, **options: Unpack[RequestOptions]) -> WebhookDelivery:
        """Delivers the event once more."""
        return await self._core.call(operations.once("POST", operations.delivery(delivery_id) + "/redeliver"), options)


class AsyncWebhooks(AsyncGroup):
    def unwrap(
        self, raw_body: Union[bytes, str], headers: Mapping[str, Any], secret: Secrets
    ) -> WebhookEvent:
        """The event of a genuine webhook. @raises WebhookVerificationError"""
        return unwrap_webhook(raw_body, headers, secret)

    async def test(self, *, url: str, **options: Unpack[RequestOptions]) -> WebhookDelivery:
        """Sends a signed test event to a receiver."""
        return await self._core.call(operations.once("POST", "/webhooks/test", {"url": url}), options)

    async def rotate_secret(
        self, *, overlap_seconds: int = 0, **options: Unpack[RequestOptions]
    ) -> IssuedWebhookSecret:
        """A new webhook secret, in this answer only."""
        body = {"overlap_seconds": overlap_seconds}
        return await self._core.call(operations.once("POST", "/account/webhook-secret/rotate", body), options)
