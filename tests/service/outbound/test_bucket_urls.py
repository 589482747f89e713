import pytest

from service.outbound import bucket_urls
from service.outbound.bucket_urls import BucketUrl, BucketUrlError, complaint, is_url, parse
from service.settings import SettingsError, load


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("s3://packs", BucketUrl("s3", "packs", "")),
        ("gs://my-packs.example/", BucketUrl("gs", "my-packs.example", "")),
        ("az://packs/of/lonja/", BucketUrl("az", "packs", "of/lonja")),
    ],
)
def test_a_bucket_and_a_folder_in_it(url: str, expected: BucketUrl) -> None:
    assert parse(url) == expected
    assert load({"LONJA_ARCHIVE": url}).archive == str(expected) == url.rstrip("/")


@pytest.mark.parametrize(
    "url",
    [
        "s3://", "s3:///lonja", "s3://a", "s3://packs/a b", "s3://packs/../other", "s3://packs//x",
        "ftp://packs", "https://packs.example", "s3://hunter2@packs", "az://packs?sig=hunter2",
        "gs://packs#hunter2",
    ],
)  # fmt: skip
def test_what_names_no_bucket_is_refused_without_being_quoted(url: str) -> None:
    with pytest.raises(BucketUrlError):
        parse(url)
    with pytest.raises(SettingsError, match="LONJA_ARCHIVE has a value that cannot") as refusal:
        load({"LONJA_ARCHIVE": url})
    assert "hunter2" not in str(refusal.value)


def test_a_path_is_no_url() -> None:
    assert not is_url("/srv/packs")
    assert not is_url("packs:1")
    assert complaint("/srv/packs") is None


def test_without_the_extra_a_bucket_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bucket_urls, "find_spec", lambda _name: None)
    with pytest.raises(SettingsError, match=r"needs more packages: install lonja\[buckets\]"):
        load({"LONJA_ARCHIVE": "s3://packs"})
