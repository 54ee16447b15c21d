# Generated from _async_administration.py by `npm run generate -- python`: do not edit.
"""The operations of the blocking client that a key of the scope `account` may do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Optional, Union

from . import _operations as operations
from ._resources import Group
from ._options import RequestOptions
from ._pages import Pages
from ._webhooks import Secrets, unwrap_webhook
from .types import ApiKey, DeletedApiKey, IssuedApiKey, IssuedWebhookSecret, WebhookDelivery, WebhookDeliveryDetails, WebhookEvent

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .types import CreateAccountKeyBody

    class NewKey(CreateAccountKeyBody, RequestOptions, total=False):
        """The fields of the new key, and the options."""


class Keys(Group):
    def list(
        self, *, limit: Optional[int] = None, cursor: Optional[str] = None, **options: Unpack[RequestOptions]
    ) -> Pages[ApiKey]:
        """The keys of the account, newest first."""
        return self._core.list(operations.listing("/account/keys", limit=limit, cursor=cursor), options)

    def create(self, **key: Unpack[NewKey]) -> IssuedApiKey:
        """A new key; its secret is in this answer only."""
        fields, options = operations.split(key)
        return self._core.call(operations.once("POST", "/account/keys", fields), options)

    def revoke(self, key_id: str, **options: Unpack[RequestOptions]) -> DeletedApiKey:
        """Ends a key."""
        return self._core.call(operations.once("DELETE", operations.key(key_id)), options)

    def rotate(
        self, key_id: str, *, overlap_seconds: int = 0, **options: Unpack[RequestOptions]
    ) -> IssuedApiKey:
        """Gives a key a new secret; the previous one stays valid for `overlap_seconds`."""
        body = {"overlap_seconds": overlap_seconds}
        return self._core.call(operations.once("POST", operations.key(key_id) + "/rotate", body), options)


class Deliveries(Group):
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
    ) -> Pages[WebhookDelivery]:
        """The deliveries of webhooks, newest first."""
        filters = {"job_id": job_id, "status": status, "host": host, "since": since}
        operation = operations.listing("/webhooks/deliveries", limit=limit, cursor=cursor, **filters)
        return self._core.list(operation, options)

    def get(self, delivery_id: str, **options: Unpack[RequestOptions]) -> WebhookDeliveryDetails:
        """A delivery with its attempts."""
        return self._core.call(operations.listing(operations.delivery(delivery_id)), options)

    def redeliver(self, delivery_id: str, **options: Unpack[RequestOptions]) -> WebhookDelivery:
        """Delivers the event once more."""
        return self._core.call(operations.once("POST", operations.delivery(delivery_id) + "/redeliver"), options)


class Webhooks(Group):
    def unwrap(
        self, raw_body: Union[bytes, str], headers: Mapping[str, Any], secret: Secrets
    ) -> WebhookEvent:
        """The event of a genuine webhook. @raises WebhookVerificationError"""
        return unwrap_webhook(raw_body, headers, secret)

    def test(self, *, url: str, **options: Unpack[RequestOptions]) -> WebhookDelivery:
        """Sends a signed test event to a receiver."""
        return self._core.call(operations.once("POST", "/webhooks/test", {"url": url}), options)

    def rotate_secret(
        self, *, overlap_seconds: int = 0, **options: Unpack[RequestOptions]
    ) -> IssuedWebhookSecret:
        """A new webhook secret, in this answer only."""
        body = {"overlap_seconds": overlap_seconds}
        return self._core.call(operations.once("POST", "/account/webhook-secret/rotate", body), options)
