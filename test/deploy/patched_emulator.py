"""Patches seven faults of the emulator, so that the stage's own CDK stacks can be deployed and destroyed unchanged.

docs/internals/emulator.md describes each fault and the request that shows it. requirements.txt pins the version:
after an upgrade, check which patches are still needed.
"""

import time

from ministack import app
from ministack.services import cloudformation, lambda_svc
from ministack.services.cloudformation import handlers, provisioners

EMPTY_QUEUES_SECONDS = 0.1

actions = handlers._ACTION_HANDLERS
resources = provisioners._RESOURCE_HANDLERS


def patch_delete_stack(delete):
    """CDK deletes a stack by its id. The emulator finds stacks only by name, and still answers with success."""

    def by_name_or_id(params):
        name_or_id = handlers._p(params, "StackName")
        for name, stack in cloudformation._stacks.items():
            if stack.get("StackId") == name_or_id:
                return delete({**params, "StackName": [name]})
        return delete(params)

    return by_name_or_id


def patch_api(create):
    """The emulator's gateway reads `allowOrigins`, but keeps CloudFormation's `AllowOrigins` as it is."""

    def with_cors(logical_id, properties, stack_name):
        cors = properties.get("CorsConfiguration")
        if not cors:
            return create(logical_id, properties, stack_name)
        read = {name[0].lower() + name[1:]: value for name, value in cors.items()}
        return create(logical_id, {**properties, "CorsConfiguration": read}, stack_name)

    return with_cors


def patch_alarm(create):
    """The emulator rejects alarms of metric math. Such an alarm exists in name only and is never evaluated."""

    def with_metric_math(logical_id, properties, stack_name):
        if not properties.get("Metrics"):
            return create(logical_id, properties, stack_name)
        rest = {name: value for name, value in properties.items() if name != "Metrics"}
        return create(logical_id, {**rest, "MetricName": "metric math", "Namespace": "metric math"}, stack_name)

    return with_metric_math


def name_rule(logical_id, properties, stack_name):
    """The emulator has no Contributor Insights. Such a rule exists in name only and counts nothing."""
    return properties["RuleName"], {"RuleName": properties["RuleName"]}


def name_composite_alarm(logical_id, properties, stack_name):
    """The emulator has no composite alarms. Such an alarm exists in name only and is never evaluated."""
    name = properties["AlarmName"]
    return name, {"Arn": f"arn:aws:cloudwatch:us-east-1:000000000000:alarm:{name}"}


def patch_invoke(invoke):
    """The emulator's gateway leaves cookies among the headers. In AWS a function gets them as a separate list."""

    def with_cookies(record, event, *rest):
        cookie = event.get("headers", {}).get("cookie") if isinstance(event, dict) else None
        if cookie and event.get("version") == "2.0":
            event = {**event, "cookies": cookie.split("; ")}
        return invoke(record, event, *rest)

    return with_cookies


def poll_queues():
    """The emulator's event sources sleep for a second when all queues are empty. Those of AWS use long polling."""
    while True:
        try:
            has_found = lambda_svc._poll_sqs()
        except Exception:
            lambda_svc.logger.exception("A queue could not be polled")
            has_found = False
        if not has_found:
            time.sleep(EMPTY_QUEUES_SECONDS)


lambda_svc._poll_loop = poll_queues
lambda_svc._execute_function_with_config_scope = patch_invoke(lambda_svc._execute_function_with_config_scope)
actions["DeleteStack"] = patch_delete_stack(actions["DeleteStack"])
for kind, patch in (("AWS::ApiGatewayV2::Api", patch_api), ("AWS::CloudWatch::Alarm", patch_alarm)):
    resources[kind]["create"] = patch(resources[kind]["create"])
for kind, create in (
    ("AWS::CloudWatch::InsightRule", name_rule),
    ("AWS::CloudWatch::CompositeAlarm", name_composite_alarm),
):
    resources[kind] = {"create": create, "delete": lambda physical_id, properties: None}

if __name__ == "__main__":
    app.main()
